## A player of a Scorebook server, for Godot 4: signs in as a guest, submits scores, reads boards.
##
## Add this file to your project and a node with this script to a scene, then:
##     var scorebook := $Scorebook
##     scorebook.setup("https://scores.example.com", game, prefix, secret)
##     if await scorebook.sign_in("Ada"):
##         var entry: Dictionary = await scorebook.submit(board, "1250.5")
##         for one in await scorebook.top(board):
##             print(int(one.rank), " ", one.player_name, " ", one.score)
##         for one in await scorebook.top(board, 10, "current"):
##             print("This week: ", one.player_name, " ", one.score)
##
## `season` is a number as text, "current" or "last" (the newest one that has ended); "" is the
## ranking of all time. Rows of a closed season have `final_rank`, the rank at its closing.
##
## `prefix` and `secret` are those of a client key (kind "client", algorithm "hmac-sha256").
## Everybody who has the game can read them; what that means is in SECURITY.md. Scores are text,
## because a float loses digits. A call that is refused or not answered returns an empty result;
## `last_problem` then has the `status` and `code` (0 and "" without an answer).
##
## A clock that is wrong is corrected by the server's, lost answers, 429 and 503 are repeated as the
## server asks, and a kept guest whom the server no longer knows is replaced by a new one.
##
## Checked: gdparse and gdlint of gdtoolkit accept this file. It was not run in Godot 4;
## scorebook_godot3.gd, which does the same, was run in Godot 3 against a server.
class_name Scorebook
extends Node

const ATTEMPTS := 4
const RENEWED_BEFORE_S := 120.0
const GUEST_FILE := "user://scorebook-guest.cfg"

var last_problem := {"status": 0, "code": ""}
var player_id := ""

var _url := ""
var _game := ""
var _prefix := ""
var _secret := ""
var _token := ""
var _expires_at := 0.0
var _refresh_token := ""
var _clock_ahead := 0.0
var _wait_s := 0.0


func setup(url: String, game: String, prefix: String, secret: String) -> void:
	_url = url.trim_suffix("/")
	_game = game
	_prefix = prefix
	_secret = secret


## Signs in as the guest kept on this device, or as a new one. True if it succeeded.
func sign_in(player_name: String = "") -> bool:
	var game_token := await _handshake()
	if game_token == "":
		return false
	var kept := ConfigFile.new()
	kept.load(GUEST_FILE)
	var section := (_url + " " + _game).sha256_text()
	var guest_token: String = kept.get_value(section, "guest_token", "")
	var answer := {}
	if guest_token != "":
		answer = await _guest(game_token, {"guest_token": guest_token})
		if answer.is_empty() and last_problem["code"] != "sign_in_rejected":
			return false
	# None is kept, or the server no longer knows the one that is.
	if answer.is_empty():
		answer = await _guest(game_token, {"name": player_name} if player_name != "" else {})
	if answer.is_empty():
		return false
	_take_token(answer)
	player_id = answer["player"]["id"]
	if answer.has("guest_token"):
		kept.set_value(section, "guest_token", answer["guest_token"])
		kept.save(GUEST_FILE)
	return true


## Submits a score such as "1250.5"; `leaderboard` is an id or a key, such as "weekly". Returns the
## player's entry with its rank, and on a leaderboard with seasons `season`, which has the number of
## the season that the score joined, and the player's `rank` in it; null if none is open.
func submit(leaderboard: String, score: String, extra_data: Variant = null) -> Dictionary:
	var body := {"score": score, "extra_data": extra_data}
	# One key for all attempts of this submission: after a lost answer it still counts once.
	return await _as_player(HTTPClient.METHOD_POST, _scores_of(leaderboard), body, _new_key())


## The best entries of a leaderboard, each with `rank`, `player_name` and `score` as text.
func top(leaderboard: String, limit: int = 10, season: String = "") -> Array:
	var path := "%s?limit=%d%s" % [_scores_of(leaderboard), limit, _in_season(season)]
	return await _list(path, "scores")


## The player's entry and its neighbours; none if they have no entry.
func around(leaderboard: String, limit: int = 10, season: String = "") -> Array:
	var asked := [_scores_of(leaderboard), player_id, limit, _in_season(season)]
	return await _list("%s?around=%s&limit=%d%s" % asked, "scores")


## The newest seasons of a leaderboard, each with `season` (its number), `starts`, `ends`, `state`
## and `players`; none if it never had any.
func seasons(leaderboard: String, limit: int = 10) -> Array:
	var path := "/api/lb/%s/seasons/?limit=%d" % [leaderboard.uri_encode(), limit]
	return await _list(path, "seasons")


## What the key signs: permissions are sorted and joined by "|"; none asks for all of the key.
static func signing_text(
	request_id: String, nonce: String, unix_ts: int, permissions: PackedStringArray = []
) -> String:
	var sorted := permissions.duplicate()
	sorted.sort()
	return "%s.%s.%d.%s" % [request_id, nonce, unix_ts, "|".join(sorted)]


## HMAC-SHA256 with the secret as text, in base64url without padding.
static func sign(secret: String, text: String) -> String:
	var crypto := Crypto.new()
	var digest := crypto.hmac_digest(
		HashingContext.HASH_SHA256, secret.to_utf8_buffer(), text.to_utf8_buffer()
	)
	return Marshalls.raw_to_base64(digest).replace("+", "-").replace("/", "_").trim_suffix("=")


func _guest(game_token: String, body: Dictionary) -> Dictionary:
	var path := "/api/gm/%s/player/guest/" % _game
	var headers := ["Authorization: Bearer " + game_token, "Idempotency-Key: " + _new_key()]
	return await _call(HTTPClient.METHOD_POST, path, headers, body)


func _handshake() -> String:
	var headers := ["X-API-Key: " + _prefix]
	for attempt in ATTEMPTS:
		var challenge := await _call(
			HTTPClient.METHOD_POST, "/api/auth/jwt/challenge/", headers, null
		)
		if challenge.is_empty():
			return ""
		var unix_ts := int(_now())
		var text := signing_text(challenge["request_id"], challenge["nonce"], unix_ts)
		var body := {
			"request_id": challenge["request_id"],
			"challenge": sign(_secret, text),
			"unix_ts": unix_ts,
		}
		# A challenge can be redeemed once: after a lost answer it takes another one.
		var path := "/api/auth/jwt/redeem/"
		var answer := await _call(HTTPClient.METHOD_POST, path, headers, body, 1)
		if not answer.is_empty():
			return answer["token"]
		if last_problem["code"] == "timestamp_out_of_range":
			_clock_ahead += last_problem.get("server_time", unix_ts) - unix_ts
		elif _may_repeat():
			await get_tree().create_timer(_wait_s).timeout
		else:
			return ""
	return ""


func _as_player(
	method: HTTPClient.Method, path: String, body: Variant, idempotency_key: String
) -> Dictionary:
	if _now() > _expires_at - RENEWED_BEFORE_S:
		if not await _refresh():
			return {}
	var answer := await _with_token(method, path, body, idempotency_key)
	# The token was refused before it expired: sign in again, as the same guest.
	if answer.is_empty() and last_problem["status"] == 401 and await sign_in():
		answer = await _with_token(method, path, body, idempotency_key)
	return answer


func _with_token(
	method: HTTPClient.Method, path: String, body: Variant, idempotency_key: String
) -> Dictionary:
	var headers := ["Authorization: Bearer " + _token]
	if idempotency_key != "":
		headers.append("Idempotency-Key: " + idempotency_key)
	return await _call(method, path, headers, body)


func _refresh() -> bool:
	var path := "/api/gm/%s/player/refresh/" % _game
	var body := {"refresh_token": _refresh_token}
	var answer := await _call(HTTPClient.METHOD_POST, path, [], body)
	if not answer.is_empty():
		_take_token(answer)
		return true
	return last_problem["status"] == 401 and await sign_in()


func _take_token(answer: Dictionary) -> void:
	_token = answer["token"]
	_expires_at = answer["expires_at"]
	_refresh_token = answer["refresh_token"]


## Sends a call, again after a lost answer, 429 and 503. If refused, it sets `last_problem`.
func _call(
	method: HTTPClient.Method,
	path: String,
	headers: Array,
	body: Variant,
	attempts: int = ATTEMPTS
) -> Dictionary:
	var sent := PackedStringArray(headers)
	var text := ""
	if body != null:
		sent.append("Content-Type: application/json")
		text = JSON.stringify(body)
	for attempt in attempts:
		if attempt > 0:
			await get_tree().create_timer(_wait_s).timeout
		var request := HTTPRequest.new()
		request.timeout = 15.0
		add_child(request)
		var answered: Array = [
			HTTPRequest.RESULT_CANT_CONNECT, 0, PackedStringArray(), PackedByteArray()
		]
		if request.request(_url + path, sent, method, text) == OK:
			answered = await request.request_completed
		request.queue_free()
		var status: int = answered[1]
		var raw: PackedByteArray = answered[3]
		var parsed: Variant = null
		if raw.size() > 0:
			parsed = JSON.parse_string(raw.get_string_from_utf8())
		var answer: Dictionary = parsed if parsed is Dictionary else {}
		# A connection that ended within the answer counts as no answer.
		if answered[0] != HTTPRequest.RESULT_SUCCESS:
			status = 0
		if status >= 200 and status < 300:
			last_problem = {"status": 0, "code": ""}
			return answer
		last_problem = {"code": ""}
		last_problem.merge(answer, true)
		last_problem["status"] = status
		_wait_s = _asked_wait(answered[2], 0.5 * pow(2.0, attempt))
		if not _may_repeat():
			break
	return {}


func _may_repeat() -> bool:
	if last_problem["code"] == "idempotency_in_progress":
		return true
	return last_problem["status"] in [0, 429, 502, 503, 504]


## The seconds of Retry-After, or else these.
func _asked_wait(headers: PackedStringArray, otherwise: float) -> float:
	for header in headers:
		if header.to_lower().begins_with("retry-after:"):
			return maxf(0.0, header.split(":")[1].to_float())
	return otherwise


## Unix seconds by the server's clock.
func _now() -> float:
	return Time.get_unix_time_from_system() + _clock_ahead


func _list(path: String, plural: String) -> Array:
	var answer := await _as_player(HTTPClient.METHOD_GET, path, null, "")
	return answer.get(plural, [])


func _in_season(season: String) -> String:
	return "" if season == "" else "&season=" + season.uri_encode()


func _scores_of(leaderboard: String) -> String:
	return "/api/lb/%s/score/" % leaderboard.uri_encode()


func _new_key() -> String:
	return Crypto.new().generate_random_bytes(16).hex_encode()
