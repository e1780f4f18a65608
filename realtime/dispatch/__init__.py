"""From a decoded message to the code that answers it: authentication, ``welcome``, typed requests, the verbs."""
