-- expect: exit=2 within=2 says="leads out of the plugin's folder"
require("liblinked")
