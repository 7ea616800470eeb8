// PushSimulator
