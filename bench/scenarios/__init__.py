"""One file a scenario; each has ``run(stage)``, which gives back its figures."""
