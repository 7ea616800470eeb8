// PushRecorder
