"""From a decoded message to the code that answers it: sessions and verbs."""
