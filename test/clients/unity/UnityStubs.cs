// Stand-ins for the types of Unity that clients/unity/Scorebook.cs uses, so that Mono compiles and runs it without Unity. They do what
// Unity's documentation says of these members: a request that is refused has its body, one that was cut is a connection error, fields
// that JSON lacks keep their value.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Reflection;
using System.Text;

namespace UnityEngine
{
    public class CustomYieldInstruction { }
    public sealed class WaitForSecondsRealtime : CustomYieldInstruction
    {
        public readonly float Seconds;
        public WaitForSecondsRealtime(float seconds) { Seconds = seconds; }
    }
    public static class PlayerPrefs
    {
        private static readonly Dictionary<string, string> kept = new Dictionary<string, string>();
        public static string GetString(string key, string otherwise) { return kept.ContainsKey(key) ? kept[key] : otherwise; }
        public static void SetString(string key, string value) { kept[key] = value; }
        public static void Save() { }
    }
    public static class JsonUtility
    {
        public static T FromJson<T>(string json)
        {
            var at = 0;
            return (T)Filled(typeof(T), Read(json, ref at));
        }

        private static object Filled(Type type, object json)
        {
            if (json == null) return null;
            if (type.IsArray)
            {
                var items = (List<object>)json;
                var array = Array.CreateInstance(type.GetElementType(), items.Count);
                for (var at = 0; at < items.Count; at++) array.SetValue(Filled(type.GetElementType(), items[at]), at);
                return array;
            }
            if (type == typeof(string)) return json as string;
            if (type.IsPrimitive) return Convert.ChangeType(json, type, CultureInfo.InvariantCulture);
            var made = Activator.CreateInstance(type);
            foreach (var field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
            {
                object value;
                if (!((Dictionary<string, object>)json).TryGetValue(field.Name, out value) || value == null) continue;
                field.SetValue(made, Filled(field.FieldType, value));
            }
            return made;
        }

        private static object Read(string json, ref int at)
        {
            Skip(json, ref at, " \t\r\n,:");
            var first = json[at];
            if (first == '{' || first == '[')
            {
                at++;
                var names = new Dictionary<string, object>();
                var items = new List<object>();
                for (Skip(json, ref at, " \t\r\n,"); json[at] != '}' && json[at] != ']'; Skip(json, ref at, " \t\r\n,"))
                {
                    var item = Read(json, ref at);
                    if (first == '{') names[(string)item] = Read(json, ref at);
                    else items.Add(item);
                }
                at++;
                return first == '{' ? (object)names : items;
            }
            if (first == '"') return ReadText(json, ref at);
            var end = at;
            while (end < json.Length && ",]} \r\n".IndexOf(json[end]) < 0) end++;
            var word = json.Substring(at, end - at);
            at = end;
            if (word == "null") return null;
            if (word == "true" || word == "false") return word == "true";
            return double.Parse(word, CultureInfo.InvariantCulture);
        }

        private static string ReadText(string json, ref int at)
        {
            var text = new StringBuilder();
            for (at++; json[at] != '"'; at++)
            {
                if (json[at] != '\\') { text.Append(json[at]); continue; }
                at++;
                if (json[at] == 'u') { text.Append((char)Convert.ToInt32(json.Substring(at + 1, 4), 16)); at += 4; }
                else if ("bfnrt".IndexOf(json[at]) >= 0) text.Append("\b\f\n\r\t"["bfnrt".IndexOf(json[at])]);
                else text.Append(json[at]);
            }
            at++;
            return text.ToString();
        }

        private static void Skip(string json, ref int at, string characters)
        {
            while (characters.IndexOf(json[at]) >= 0) at++;
        }
    }
}

namespace UnityEngine.Networking
{
    public class DownloadHandler { public string text { get; set; } }
    public sealed class DownloadHandlerBuffer : DownloadHandler { }
    public class UploadHandler { public byte[] data; }
    public sealed class UploadHandlerRaw : UploadHandler { public UploadHandlerRaw(byte[] bytes) { data = bytes; } }
    public sealed class UnityWebRequestAsyncOperation { }
    public sealed class UnityWebRequest : IDisposable
    {
        public enum Result { InProgress, Success, ConnectionError, ProtocolError, DataProcessingError }
        private readonly HttpWebRequest request;
        private WebHeaderCollection answered = new WebHeaderCollection();
        public UnityWebRequest(string url, string method)
        {
            request = (HttpWebRequest)WebRequest.Create(url);
            request.Method = method;
            // A connection that is used again would be tried again by the runtime, which Unity does not do.
            request.KeepAlive = false;
            request.ServicePoint.Expect100Continue = false;
        }
        public int timeout { set { request.Timeout = value * 1000; } }
        public long responseCode { get; private set; }
        public Result result { get; private set; }
        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public string GetResponseHeader(string name) { return answered[name]; }
        public void SetRequestHeader(string name, string value)
        {
            if (name == "Content-Type") request.ContentType = value;
            else request.Headers[name] = value;
        }
        public UnityWebRequestAsyncOperation SendWebRequest()
        {
            downloadHandler.text = "";
            try
            {
                if (uploadHandler != null) using (var body = request.GetRequestStream()) body.Write(uploadHandler.data, 0, uploadHandler.data.Length);
                else if (request.Method == "POST") request.ContentLength = 0;
                Take((HttpWebResponse)request.GetResponse());
                result = Result.Success;
            }
            catch (WebException failure)
            {
                result = failure.Response == null ? Result.ConnectionError : Result.ProtocolError;
                if (failure.Response != null) Take((HttpWebResponse)failure.Response);
            }
            catch (IOException)
            {
                result = Result.ConnectionError;
            }
            return new UnityWebRequestAsyncOperation();
        }
        private void Take(HttpWebResponse response)
        {
            responseCode = (long)response.StatusCode;
            answered = response.Headers;
            using (var reader = new StreamReader(response.GetResponseStream(), Encoding.UTF8)) downloadHandler.text = reader.ReadToEnd();
        }
        public void Dispose() { }
    }
}
