// Signs texts that come as lines: secret, request id, nonce, time, then permissions, separated by tabs. Writes text and signature.
using System;
using System.Linq;

public static class Vectors
{
    public static void Main()
    {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var fields = line.Split('\t');
            var text = ScorebookSigning.Text(fields[1], fields[2], long.Parse(fields[3]), fields.Skip(4).ToArray());
            Console.WriteLine(text + "\t" + ScorebookSigning.Sign(fields[0], text));
        }
    }
}
