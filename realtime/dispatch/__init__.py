"""From a decoded message to the code that answers it: permissions, sessions and verbs."""
