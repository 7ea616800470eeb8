// PushPipeline
