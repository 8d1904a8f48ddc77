// The story by clients/unity/Scorebook.cs, run without Unity: a coroutine is stepped by hand, as Unity steps it.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using UnityEngine;

public static class Story
{
    public static void Main(string[] args)
    {
        string url = args[0], game = args[1], board = args[2], prefix = args[3], secret = args[4];
        PlayerPrefs.SetString("scorebook guest " + url + " " + game, args[5]);
        var scorebook = new Scorebook(url, game, prefix, secret);
        Run(scorebook.SignIn("Ada"));
        if (scorebook.PlayerId == null) throw new Exception(scorebook.LastStatus + " " + scorebook.LastCode);
        Scorebook.Score entry = null;
        Run(scorebook.Submit(board, "12.5", one => entry = one));
        if (entry == null) throw new Exception(scorebook.LastStatus + " " + scorebook.LastCode);
        Scorebook.Score[] around = null;
        Run(scorebook.Around(board, 3, scores => around = scores));
        Scorebook.Season[] seasons = null;
        Run(scorebook.Seasons(board, 10, some => seasons = some));
        Scorebook.Score[] current = null;
        Run(scorebook.Top(board, 10, scores => current = scores, "current"));
        var season = entry.season.season + " " + entry.season.rank + " " + string.Join(",", seasons.Select(one => one.state)) + " " + string.Join(",", current.Select(one => one.score));
        Console.WriteLine("{\"rank\":" + entry.rank + ",\"around\":[" + string.Join(",", around.Select(one => ScorebookJson.Text(one.score))) + "],\"season\":" + ScorebookJson.Text(season) + "}");
    }

    private static void Run(IEnumerator routine)
    {
        var running = new Stack<IEnumerator>();
        running.Push(routine);
        while (running.Count > 0)
        {
            if (!running.Peek().MoveNext()) { running.Pop(); continue; }
            var waitedFor = running.Peek().Current;
            if (waitedFor is IEnumerator) running.Push((IEnumerator)waitedFor);
            else if (waitedFor is WaitForSecondsRealtime) Thread.Sleep(TimeSpan.FromSeconds(((WaitForSecondsRealtime)waitedFor).Seconds));
        }
    }
}
