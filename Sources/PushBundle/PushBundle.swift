// PushBundle
