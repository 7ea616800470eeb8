// PushAnalysis
