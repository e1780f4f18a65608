"""The wire contract: requests with permissions, messages, codecs, error codes and limits. Imports no other room."""
