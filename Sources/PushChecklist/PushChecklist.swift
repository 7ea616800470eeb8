// PushChecklist
