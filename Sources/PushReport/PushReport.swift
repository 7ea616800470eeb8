// PushReport
