import { useEffect, useState } from 'preact/hooks'
import { CheckField } from '../components/check-field.tsx'
import { TextField } from '../components/text-field.tsx'
import { problemText } from '../problem-text.ts'
import { type KeyFile, keyIn, signInNotice, signInWithKey } from '../session.ts'
import { texts } from '../texts.ts'

/** Larger files are no key files. */
const FILE_MAX_BYTES = 64 * 1024

/** Signs in with a key: typed, or as a file that is dropped or chosen. */
export function SignInPage() {
  const [prefix, setPrefix] = useState('')
  const [secret, setSecret] = useState('')
  const [keep, setKeep] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    document.title = `${texts.signIn.title} · ${texts.product}`
  }, [])

  const signIn = async (key: KeyFile) => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    try {
      await signInWithKey(key, keep)
    } catch (failure) {
      setError(problemText(failure))
      setBusy(false)
    }
  }
  const useFile = async (file: File | null | undefined) => {
    if (!file) return
    const key = file.size > FILE_MAX_BYTES ? null : keyIn(await file.text())
    if (key === null) setError(texts.signIn.noKeyFile(file.name))
    else await signIn(key)
  }
  if (!isSecureContext) return <Insecure />
  return (
    <main
      class="center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void useFile(event.dataTransfer?.files[0])
      }}
    >
      <div class="stack sign-in">
        <div class="brand">
          <img src="/console/favicon.svg" alt="" />
          {texts.product}
        </div>
        <h1>{texts.signIn.title}</h1>
        <p class="soft">{texts.signIn.about}</p>
        {signInNotice.value !== null && <p class="message past">{signInNotice.value}</p>}
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            void signIn({ prefix: prefix.trim(), secret: secret.trim() })
          }}
        >
          <TextField label={texts.signIn.prefix} value={prefix} onValue={setPrefix} placeholder="sk_…" required />
          <TextField label={texts.signIn.secret} type="password" value={secret} onValue={setSecret} required />
          <CheckField label={texts.signIn.keep} checked={keep} onValue={setKeep} />
          <div class="actions">
            <button type="submit" class="primary" aria-disabled={isBusy ? true : undefined}>
              {texts.signIn.signIn}
            </button>
          </div>
        </form>
        {error !== null && (
          <p class="message bad" role="alert">
            {error}
          </p>
        )}
        <label class="drop">
          <span>{texts.signIn.drop}</span>
          <input
            type="file"
            accept=".json,application/json"
            onChange={(event) => {
              void useFile(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </label>
      </div>
    </main>
  )
}

/** The browser signs only in a secure context. */
function Insecure() {
  return (
    <main class="center">
      <div class="stack sign-in">
        <h1>{texts.signIn.title}</h1>
        <div class="state bad">
          <h2>{texts.signIn.insecureTitle}</h2>
          <p>{texts.signIn.insecure(location.origin)}</p>
          <ul class="list">
            {texts.signIn.insecureWays(location.port).map((way) => (
              <li key={way}>{way}</li>
            ))}
          </ul>
        </div>
      </div>
    </main>
  )
}
