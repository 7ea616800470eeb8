// PushJoin
