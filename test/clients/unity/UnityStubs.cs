// Stand-ins for the types of Unity that clients/unity/Scorebook.cs uses, so that a compiler can check it without Unity.
using System;

namespace UnityEngine
{
    public class CustomYieldInstruction { }
    public sealed class WaitForSecondsRealtime : CustomYieldInstruction { public WaitForSecondsRealtime(float seconds) { } }
    public static class PlayerPrefs
    {
        public static string GetString(string key, string otherwise) { throw new NotSupportedException(); }
        public static void SetString(string key, string value) { throw new NotSupportedException(); }
        public static void Save() { throw new NotSupportedException(); }
    }
    public static class JsonUtility { public static T FromJson<T>(string json) { throw new NotSupportedException(); } }
}

namespace UnityEngine.Networking
{
    public class DownloadHandler { public string text { get { throw new NotSupportedException(); } } }
    public sealed class DownloadHandlerBuffer : DownloadHandler { }
    public class UploadHandler { }
    public sealed class UploadHandlerRaw : UploadHandler { public UploadHandlerRaw(byte[] data) { } }
    public sealed class UnityWebRequestAsyncOperation { }
    public sealed class UnityWebRequest : IDisposable
    {
        public UnityWebRequest(string url, string method) { }
        public int timeout { get; set; }
        public long responseCode { get { throw new NotSupportedException(); } }
        public DownloadHandler downloadHandler { get; set; }
        public UploadHandler uploadHandler { get; set; }
        public void SetRequestHeader(string name, string value) { }
        public UnityWebRequestAsyncOperation SendWebRequest() { throw new NotSupportedException(); }
        public void Dispose() { }
    }
}
