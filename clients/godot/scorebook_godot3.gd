# A player of a Scorebook server, for Godot 3.2 or newer of version 3: sign in as a guest, submit
# scores, read a leaderboard. For Godot 4 take scorebook.gd.
#
# Add this file to your project and a node with this script to a scene, then:
#     scorebook.setup("https://scores.example.com", game, prefix, secret)
#     if yield(scorebook.sign_in("Ada"), "completed"):
#         var entry = yield(scorebook.submit(board, "1250.5"), "completed")
#         for one in yield(scorebook.top(board), "completed"):
#             print(int(one.rank), " ", one.player_name, " ", one.score)
#         for one in yield(scorebook.top(board, 10, "current"), "completed"):
#             print("This week: ", one.player_name, " ", one.score)
#
# `season` is a number as text, "current" or "last" (the newest one that has ended); "" is the
# ranking of all time. Rows of a closed season have `final_rank`, the rank at its closing.
#
# `prefix` and `secret` are those of a client key (kind "client", algorithm "hmac-sha256").
# Everybody who has the game can read them; what that means is in SECURITY.md. Scores are text,
# because a float loses digits. A call that is refused or not answered returns an empty result;
# `last_problem` then has the `status` and `code` (0 and "" without an answer).
#
# A clock that is wrong is corrected by the server's, lost answers, 429 and 503 are repeated as the
# server asks, and a kept guest whom the server no longer knows is replaced by a new one.
#
# Checked: run in Debian's headless Godot 3.2 against a server, and signs as the vectors of
# docs/vectors/handshake.json.
extends Node

const ATTEMPTS = 4
const RENEWED_BEFORE_S = 120
const GUEST_FILE = "user://scorebook-guest.cfg"
const HASH_BLOCK_BYTES = 64

var last_problem = {"status": 0, "code": ""}
var player_id = ""

var _url = ""
var _game = ""
var _prefix = ""
var _secret = ""
var _token = ""
var _expires_at = 0
var _refresh_token = ""
var _clock_ahead = 0
var _wait_s = 0.0


func setup(url, game, prefix, secret):
	_url = url.trim_suffix("/")
	_game = game
	_prefix = prefix
	_secret = secret


# Signs in as the guest kept on this device, or as a new one. True if it succeeded.
func sign_in(player_name = ""):
	var game_token = yield(_handshake(), "completed")
	if game_token == "":
		return false
	var kept = ConfigFile.new()
	kept.load(GUEST_FILE)
	var section = (_url + " " + _game).sha256_text()
	var guest_token = kept.get_value(section, "guest_token", "")
	var answer = {}
	if guest_token != "":
		answer = yield(_guest(game_token, {"guest_token": guest_token}), "completed")
		if answer.empty() and last_problem["code"] != "sign_in_rejected":
			return false
	# None is kept, or the server no longer knows the one that is.
	if answer.empty():
		var body = {"name": player_name} if player_name != "" else {}
		answer = yield(_guest(game_token, body), "completed")
	if answer.empty():
		return false
	_take_token(answer)
	player_id = answer["player"]["id"]
	if answer.has("guest_token"):
		kept.set_value(section, "guest_token", answer["guest_token"])
		kept.save(GUEST_FILE)
	return true


# Submits a score such as "1250.5"; `leaderboard` is an id or a key, such as "weekly". Returns the
# player's entry with its rank, and on a leaderboard with seasons `season`, which has the number of
# the season that the score joined, and the player's `rank` in it; null if none is open.
func submit(leaderboard, score, extra_data = null):
	var body = {"score": score, "extra_data": extra_data}
	var path = _scores_of(leaderboard)
	# One key for all attempts of this submission: after a lost answer it still counts once.
	return yield(_as_player(HTTPClient.METHOD_POST, path, body, _new_key()), "completed")


# The best entries of a leaderboard, each with `rank`, `player_name` and `score` as text.
func top(leaderboard, limit = 10, season = ""):
	var path = "%s?limit=%d%s" % [_scores_of(leaderboard), limit, _in_season(season)]
	return yield(_list(path, "scores"), "completed")


# The player's entry and its neighbours; none if they have no entry.
func around(leaderboard, limit = 10, season = ""):
	var asked = [_scores_of(leaderboard), player_id, limit, _in_season(season)]
	return yield(_list("%s?around=%s&limit=%d%s" % asked, "scores"), "completed")


# The newest seasons of a leaderboard, each with `season` (its number), `starts`, `ends`, `state`
# and `players`; none if it never had any.
func seasons(leaderboard, limit = 10):
	var path = "/api/lb/%s/seasons/?limit=%d" % [leaderboard.percent_encode(), limit]
	return yield(_list(path, "seasons"), "completed")


# What the key signs: permissions are sorted and joined by "|"; none asks for all of the key.
static func signing_text(request_id, nonce, unix_ts, permissions = []):
	var sorted = permissions.duplicate()
	sorted.sort()
	return "%s.%s.%d.%s" % [request_id, nonce, unix_ts, PoolStringArray(sorted).join("|")]


# HMAC-SHA256 (RFC 2104) with the secret as text, in base64url without padding.
static func signature_of(secret, text):
	var key = secret.to_utf8()
	if key.size() > HASH_BLOCK_BYTES:
		key = _sha256(key, PoolByteArray())
	var inner = PoolByteArray()
	var outer = PoolByteArray()
	for at in HASH_BLOCK_BYTES:
		var byte = key[at] if at < key.size() else 0
		inner.append(byte ^ 0x36)
		outer.append(byte ^ 0x5c)
	var digest = _sha256(outer, _sha256(inner, text.to_utf8()))
	var encoded = Marshalls.raw_to_base64(digest)
	return encoded.replace("+", "-").replace("/", "_").replace("=", "")


static func _sha256(first, second):
	var context = HashingContext.new()
	context.start(HashingContext.HASH_SHA256)
	context.update(first)
	if second.size() > 0:
		context.update(second)
	return context.finish()


func _guest(game_token, body):
	var path = "/api/gm/%s/player/guest/" % _game
	var headers = ["Authorization: Bearer " + game_token, "Idempotency-Key: " + _new_key()]
	return yield(_call(HTTPClient.METHOD_POST, path, headers, body), "completed")


func _handshake():
	var headers = ["X-API-Key: " + _prefix]
	var post = HTTPClient.METHOD_POST
	for attempt in ATTEMPTS:
		var challenge = yield(_call(post, "/api/auth/jwt/challenge/", headers, null), "completed")
		if challenge.empty():
			return ""
		var unix_ts = _now()
		var text = signing_text(challenge["request_id"], challenge["nonce"], unix_ts)
		var body = {
			"request_id": challenge["request_id"],
			"challenge": signature_of(_secret, text),
			"unix_ts": unix_ts,
		}
		# A challenge can be redeemed once: after a lost answer it takes another one.
		var path = "/api/auth/jwt/redeem/"
		var answer = yield(_call(post, path, headers, body, 1), "completed")
		if not answer.empty():
			return answer["token"]
		if last_problem["code"] == "timestamp_out_of_range":
			_clock_ahead += int(last_problem.get("server_time", unix_ts)) - unix_ts
		elif _may_repeat():
			yield(get_tree().create_timer(_wait_s), "timeout")
		else:
			return ""
	return ""


func _as_player(method, path, body, idempotency_key):
	if _now() > _expires_at - RENEWED_BEFORE_S:
		if not yield(_refresh(), "completed"):
			return {}
	var answer = yield(_with_token(method, path, body, idempotency_key), "completed")
	# The token was refused before it expired: sign in again, as the same guest.
	if answer.empty() and last_problem["status"] == 401:
		if yield(sign_in(), "completed"):
			answer = yield(_with_token(method, path, body, idempotency_key), "completed")
	return answer


func _with_token(method, path, body, idempotency_key):
	var headers = ["Authorization: Bearer " + _token]
	if idempotency_key != "":
		headers.append("Idempotency-Key: " + idempotency_key)
	return yield(_call(method, path, headers, body), "completed")


func _refresh():
	var path = "/api/gm/%s/player/refresh/" % _game
	var body = {"refresh_token": _refresh_token}
	var answer = yield(_call(HTTPClient.METHOD_POST, path, [], body), "completed")
	if not answer.empty():
		_take_token(answer)
		return true
	if last_problem["status"] != 401:
		return false
	return yield(sign_in(), "completed")


func _take_token(answer):
	_token = answer["token"]
	_expires_at = int(answer["expires_at"])
	_refresh_token = answer["refresh_token"]


# Sends a call, again after a lost answer, 429 and 503. If refused, it sets `last_problem`.
func _call(method, path, headers, body, attempts = ATTEMPTS):
	var sent = PoolStringArray(headers)
	var text = ""
	if body != null:
		sent.append("Content-Type: application/json")
		text = JSON.print(body)
	for attempt in attempts:
		if attempt > 0:
			yield(get_tree().create_timer(_wait_s), "timeout")
		var request = HTTPRequest.new()
		request.timeout = 15
		add_child(request)
		var answered = [HTTPRequest.RESULT_CANT_CONNECT, 0, PoolStringArray(), PoolByteArray()]
		if request.request(_url + path, sent, true, method, text) == OK:
			answered = yield(request, "request_completed")
		else:
			# Callers wait for "completed", which only a function that has waited emits.
			yield(get_tree(), "idle_frame")
		request.queue_free()
		var parsed = null
		if answered[3].size() > 0:
			parsed = JSON.parse(answered[3].get_string_from_utf8()).result
		var answer = parsed if parsed is Dictionary else {}
		# A connection that ended within the answer counts as no answer.
		var status = answered[1] if answered[0] == HTTPRequest.RESULT_SUCCESS else 0
		if status >= 200 and status < 300:
			last_problem = {"status": 0, "code": ""}
			return answer
		last_problem = answer.duplicate()
		last_problem["status"] = status
		last_problem["code"] = answer.get("code", "")
		_wait_s = _asked_wait(answered[2], 0.5 * pow(2.0, attempt))
		if not _may_repeat():
			break
	return {}


func _may_repeat():
	if last_problem["code"] == "idempotency_in_progress":
		return true
	return last_problem["status"] in [0, 429, 502, 503, 504]


# The seconds of Retry-After, or else these.
func _asked_wait(headers, otherwise):
	for header in headers:
		if header.to_lower().begins_with("retry-after:"):
			return max(0.0, float(header.split(":")[1]))
	return otherwise


# Unix seconds by the server's clock.
func _now():
	return OS.get_unix_time() + _clock_ahead


func _list(path, plural):
	var answer = yield(_as_player(HTTPClient.METHOD_GET, path, null, ""), "completed")
	return answer.get(plural, [])


func _in_season(season):
	return "" if season == "" else "&season=" + season.percent_encode()


func _scores_of(leaderboard):
	return "/api/lb/%s/score/" % leaderboard.percent_encode()


func _new_key():
	return Crypto.new().generate_random_bytes(16).hex_encode()
