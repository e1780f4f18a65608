"""The wire contract: requests with permissions, messages, codecs, error codes, limits. Imports no other subpackage."""
