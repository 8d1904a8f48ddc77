# The story by clients/godot/scorebook_godot3.gd, in a headless Godot 3. The fixture is in SCOREBOOK_TEST.
extends SceneTree


func _init():
	call_deferred("_run")


func _run():
	var fixture = JSON.parse(OS.get_environment("SCOREBOOK_TEST")).result
	var scorebook = load("res://scorebook.gd").new()
	get_root().add_child(scorebook)
	var signatures = []
	for one in fixture["vectors"]:
		var text = scorebook.signing_text(
			one["request_id"], one["nonce"], int(one["unix_ts"]), one["permissions"]
		)
		signatures.append(scorebook.signature_of(one["secret"], text))

	var section = (fixture["url"] + " " + fixture["game"]).sha256_text()
	var kept = ConfigFile.new()
	kept.set_value(section, "guest_token", fixture["voidGuest"])
	kept.save(scorebook.GUEST_FILE)
	var key = fixture["key"]
	scorebook.setup(fixture["url"], fixture["game"], key["prefix"], key["secret"])
	var told = {"signatures": signatures}
	if yield(scorebook.sign_in("Ada"), "completed"):
		var entry = yield(scorebook.submit(fixture["board"], "12.5"), "completed")
		told["rank"] = entry.get("rank")
		told["around"] = []
		for one in yield(scorebook.around(fixture["board"], 3), "completed"):
			told["around"].append(one["score"])
		var states = PoolStringArray()
		for one in yield(scorebook.seasons(fixture["board"]), "completed"):
			states.append(one["state"])
		var current = PoolStringArray()
		for one in yield(scorebook.top(fixture["board"], 10, "current"), "completed"):
			current.append(one["score"])
		var joined = entry["season"]
		told["season"] = (
			"%d %d %s %s"
			% [joined["season"], joined["rank"], states.join(","), current.join(",")]
		)
	else:
		told["problem"] = scorebook.last_problem
	print("told ", JSON.print(told))
	quit()
