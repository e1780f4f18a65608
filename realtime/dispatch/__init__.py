"""From a decoded message to the code that answers it: the dispatcher and the verbs."""
