// A player of a Scorebook server, for Unity 2021.2 or newer: sign in as a guest, submit scores, read a leaderboard.
//
//     var scorebook = new Scorebook("https://scores.example.com", game, prefix, secret);
//     yield return scorebook.SignIn("Ada");
//     yield return scorebook.Submit(board, "1250.5", entry => Debug.Log(entry.rank));
//     yield return scorebook.Top(board, 10, scores => { foreach (var one in scores) Debug.Log(one.player_name + " " + one.score); });
//     yield return scorebook.Top(board, 10, scores => Show(scores), "current");
//
// A season is "current", "last" (the newest one that has ended) or a number as text; null is the ranking of all time.
//
// `prefix` and `secret` are those of a client key (kind "client", algorithm "hmac-sha256"). Everybody who has the game can read
// them; what that means is in SECURITY.md. Scores are text, because a float loses digits. After a call that was refused or not
// answered, LastStatus and LastCode say why (0 and "" without an answer), and the callback is not called.
//
// A clock that is wrong is corrected by the server's, lost answers, 429 and 503 are repeated as the server asks, and a kept guest
// whom the server no longer knows is replaced by a new one.
//
// Checked: Mono compiles and runs this file against a server, with stand-ins for the few types of Unity that it uses
// (test/clients/unity/), and ScorebookSigning passes the vectors of docs/vectors/handshake.json. It was not run in Unity.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

public sealed class Scorebook
{
    /// <summary>`final_rank`: only with a season; 0 in an open one, and for an entry that was hidden at the closing. `season`: only of a submission; if no season was open, null or of number 0.</summary>
    [Serializable] public sealed class Score { public string id, player, player_name, score, added; public int rank, final_rank; public bool improved; public Joined season; }
    /// <summary>The season that a submission joined, and the player's rank in it.</summary>
    [Serializable] public sealed class Joined { public int season, rank; public bool improved; }
    /// <summary>`state` is "open", "closing" (its final ranks are being recorded) or "closed"; times are ISO 8601.</summary>
    [Serializable] public sealed class Season { public int season, players, entries; public string starts, ends, state, closed_at; }
    [Serializable] private sealed class ScoreList { public Score[] scores; }
    [Serializable] private sealed class SeasonList { public Season[] seasons; }
    [Serializable] private sealed class Challenge { public string request_id, nonce; }
    [Serializable] private sealed class PlayerInfo { public string id, name; }
    [Serializable] private sealed class Token { public string token, refresh_token, guest_token; public long expires_at; public PlayerInfo player; }
    [Serializable] private sealed class Problem { public string code; public long server_time; }

    private const int Attempts = 4;
    private const long RenewedBeforeS = 120;

    private readonly string url, game, prefix, secret;
    private Token session;
    private long clockAheadS, serverTime;
    private float waitS;

    public int LastStatus { get; private set; }
    public string LastCode { get; private set; } = "";
    public string PlayerId { get { return session == null ? null : session.player.id; } }

    public Scorebook(string url, string game, string prefix, string secret)
    {
        this.url = url.TrimEnd('/');
        this.game = game;
        this.prefix = prefix;
        this.secret = secret;
    }

    /// <summary>Signs in as the guest kept on this device, or as a new one. PlayerId is null if it failed.</summary>
    public IEnumerator SignIn(string name = null)
    {
        session = null;
        string gameToken = null;
        yield return Handshake(token => gameToken = token);
        if (gameToken == null) yield break;
        var keptAs = "scorebook guest " + url + " " + game;
        var guestToken = PlayerPrefs.GetString(keptAs, "");
        if (guestToken != "") yield return Guest(gameToken, "{\"guest_token\":" + ScorebookJson.Text(guestToken) + "}", keptAs);
        if (session != null || (guestToken != "" && LastCode != "sign_in_rejected")) yield break;
        // None is kept, or the server no longer knows the one that is.
        yield return Guest(gameToken, name != null ? "{\"name\":" + ScorebookJson.Text(name) + "}" : "{}", keptAs);
    }

    private IEnumerator Guest(string gameToken, string body, string keptAs)
    {
        var headers = new Dictionary<string, string> { { "Authorization", "Bearer " + gameToken }, { "Idempotency-Key", NewKey() } };
        return Call("POST", "/api/gm/" + game + "/player/guest/", headers, body, Attempts, answer =>
        {
            session = JsonUtility.FromJson<Token>(answer);
            if (string.IsNullOrEmpty(session.guest_token)) return;
            PlayerPrefs.SetString(keptAs, session.guest_token);
            PlayerPrefs.Save();
        });
    }

    /// <summary>Submits a score such as "1250.5"; `leaderboard` is an id or a key, `extraData` is JSON. Answers the player's entry with its rank.</summary>
    public IEnumerator Submit(string leaderboard, string score, Action<Score> done, string extraData = "null")
    {
        var body = "{\"score\":" + ScorebookJson.Text(score) + ",\"extra_data\":" + extraData + "}";
        // One key for all attempts of this submission: after a lost answer it still counts once.
        return AsPlayer("POST", ScoresOf(leaderboard), body, NewKey(), answer => done(JsonUtility.FromJson<Score>(answer)));
    }

    /// <summary>The best entries of a leaderboard.</summary>
    public IEnumerator Top(string leaderboard, int limit, Action<Score[]> done, string season = null)
    {
        return Scores(ScoresOf(leaderboard) + "?limit=" + limit + InSeason(season), done);
    }

    /// <summary>The player's entry and its neighbours; no entries if they have none.</summary>
    public IEnumerator Around(string leaderboard, int limit, Action<Score[]> done, string season = null)
    {
        return Scores(ScoresOf(leaderboard) + "?around=" + PlayerId + "&limit=" + limit + InSeason(season), done);
    }

    /// <summary>The newest seasons of a leaderboard; none if it never had any.</summary>
    public IEnumerator Seasons(string leaderboard, int limit, Action<Season[]> done)
    {
        var path = "/api/lb/" + Uri.EscapeDataString(leaderboard) + "/seasons/?limit=" + limit;
        return AsPlayer("GET", path, null, null, answer => done(JsonUtility.FromJson<SeasonList>(answer).seasons));
    }

    private IEnumerator Scores(string path, Action<Score[]> done)
    {
        return AsPlayer("GET", path, null, null, answer => done(JsonUtility.FromJson<ScoreList>(answer).scores));
    }

    private IEnumerator Handshake(Action<string> done)
    {
        var headers = new Dictionary<string, string> { { "X-API-Key", prefix } };
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            Challenge challenge = null;
            yield return Call("POST", "/api/auth/jwt/challenge/", headers, null, Attempts, answer => challenge = JsonUtility.FromJson<Challenge>(answer));
            if (challenge == null) yield break;
            var unixTs = Now();
            var signature = ScorebookSigning.Sign(secret, ScorebookSigning.Text(challenge.request_id, challenge.nonce, unixTs));
            var body = "{\"request_id\":" + ScorebookJson.Text(challenge.request_id) + ",\"challenge\":\"" + signature + "\",\"unix_ts\":" + unixTs + "}";
            // A challenge can be redeemed once: after a lost answer it takes another one.
            string token = null;
            yield return Call("POST", "/api/auth/jwt/redeem/", headers, body, 1, answer => token = JsonUtility.FromJson<Token>(answer).token);
            if (token != null) { done(token); yield break; }
            if (LastCode == "timestamp_out_of_range" && serverTime != 0) clockAheadS += serverTime - Now();
            else if (MayRepeat()) yield return new WaitForSecondsRealtime(waitS);
            else yield break;
        }
    }

    private IEnumerator AsPlayer(string method, string path, string body, string idempotencyKey, Action<string> done)
    {
        if (session == null) throw new InvalidOperationException("Call SignIn first.");
        if (IsOld())
        {
            yield return Renew();
            if (IsOld()) yield break;
        }
        var isDone = false;
        for (var attempt = 0; attempt < 2 && !isDone; attempt++)
        {
            if (attempt > 0)
            {
                // The token was refused before it expired: sign in again, as the same guest.
                if (LastStatus != 401) yield break;
                var refused = session;
                yield return SignInAgain();
                if (session == refused) yield break;
            }
            var headers = new Dictionary<string, string> { { "Authorization", "Bearer " + session.token } };
            if (idempotencyKey != null) headers["Idempotency-Key"] = idempotencyKey;
            yield return Call(method, path, headers, body, Attempts, answer => { isDone = true; done(answer); });
        }
    }

    private IEnumerator Renew()
    {
        var renewal = "{\"refresh_token\":" + ScorebookJson.Text(session.refresh_token) + "}";
        Token renewed = null;
        yield return Call("POST", "/api/gm/" + game + "/player/refresh/", new Dictionary<string, string>(), renewal, Attempts, answer => renewed = JsonUtility.FromJson<Token>(answer));
        if (renewed != null) session = renewed;
        else if (LastStatus == 401) yield return SignInAgain();
    }

    private IEnumerator SignInAgain()
    {
        var before = session;
        yield return SignIn();
        if (session == null) session = before;
    }

    private bool IsOld() { return Now() > session.expires_at - RenewedBeforeS; }

    /// <summary>Sends a call, again after a lost answer, 429 and 503, when the server asks for it.</summary>
    private IEnumerator Call(string method, string path, Dictionary<string, string> headers, string body, int attempts, Action<string> done)
    {
        for (var attempt = 0; attempt < attempts; attempt++)
        {
            if (attempt > 0) yield return new WaitForSecondsRealtime(waitS);
            using (var request = new UnityWebRequest(url + path, method))
            {
                request.timeout = 15;
                request.downloadHandler = new DownloadHandlerBuffer();
                foreach (var header in headers) request.SetRequestHeader(header.Key, header.Value);
                if (body != null)
                {
                    request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(body));
                    request.SetRequestHeader("Content-Type", "application/json");
                }
                yield return request.SendWebRequest();
                var answer = request.downloadHandler.text;
                // A connection that ended within the answer counts as no answer.
                LastStatus = request.result == UnityWebRequest.Result.ConnectionError ? 0 : (int)request.responseCode;
                LastCode = "";
                serverTime = 0;
                if (LastStatus >= 200 && LastStatus < 300)
                {
                    done(answer);
                    yield break;
                }
                int askedS;
                waitS = int.TryParse(request.GetResponseHeader("Retry-After"), out askedS) ? askedS : 0.5f * (1 << attempt);
                if (!string.IsNullOrEmpty(answer) && answer[0] == '{')
                {
                    var problem = JsonUtility.FromJson<Problem>(answer);
                    LastCode = problem.code ?? "";
                    serverTime = problem.server_time;
                }
                if (!MayRepeat()) yield break;
            }
        }
    }

    private bool MayRepeat()
    {
        return LastStatus == 0 || LastStatus == 429 || LastStatus == 502 || LastStatus == 503 || LastStatus == 504 || LastCode == "idempotency_in_progress";
    }

    /// <summary>Unix seconds by the server's clock.</summary>
    private long Now() { return DateTimeOffset.UtcNow.ToUnixTimeSeconds() + clockAheadS; }

    private static string ScoresOf(string leaderboard) { return "/api/lb/" + Uri.EscapeDataString(leaderboard) + "/score/"; }

    private static string InSeason(string season) { return string.IsNullOrEmpty(season) ? "" : "&season=" + Uri.EscapeDataString(season); }

    private static string NewKey() { return Guid.NewGuid().ToString(); }
}

/// <summary>The signature of the handshake. It uses nothing of Unity.</summary>
public static class ScorebookSigning
{
    /// <summary>What the key signs: permissions are sorted by code unit and joined by "|"; none asks for all that the key holds.</summary>
    public static string Text(string requestId, string nonce, long unixTs, params string[] permissions)
    {
        var sorted = (string[])permissions.Clone();
        Array.Sort(sorted, StringComparer.Ordinal);
        return requestId + "." + nonce + "." + unixTs + "." + string.Join("|", sorted);
    }

    /// <summary>HMAC-SHA256 with the secret as text, in base64url without padding.</summary>
    public static string Sign(string secret, string text)
    {
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            var digest = hmac.ComputeHash(Encoding.UTF8.GetBytes(text));
            return Convert.ToBase64String(digest).TrimEnd('=').Replace('+', '-').Replace('/', '_');
        }
    }
}

/// <summary>Text as JSON. It uses nothing of Unity.</summary>
public static class ScorebookJson
{
    public static string Text(string value)
    {
        var json = new StringBuilder("\"");
        foreach (var character in value)
        {
            if (character == '"' || character == '\\') json.Append('\\').Append(character);
            else if (character < ' ') json.Append("\\u").Append(((int)character).ToString("x4"));
            else json.Append(character);
        }
        return json.Append('"').ToString();
    }
}
