// PushIngest
