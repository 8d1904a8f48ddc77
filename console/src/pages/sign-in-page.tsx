import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type KeyFile, keyIn } from '../api.ts'
import { CheckField, TextField } from '../components/fields.tsx'
import { Problem, StateIcon } from '../components/states.tsx'
import type { HandedSession } from '../other-tabs.ts'
import { problemText } from '../problem-text.ts'
import { offered, type SignInNotice, signInByTab, signInNotice, signInWithKey } from '../session.ts'
import { texts } from '../texts.ts'

/** Larger files are no key files. */
const FILE_MAX_BYTES = 64 * 1024

/** Signs in with a key: typed, or as a file that is dropped or chosen. */
export function SignInPage() {
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
  const signInWithFile = async (file: File) => {
    const key = file.size > FILE_MAX_BYTES ? null : keyIn(await file.text())
    if (key === null) setError(texts.signIn.noKeyFile(file.name))
    else await signIn(key)
  }
  return (
    <KeyDrop onFile={signInWithFile}>
      <div class="brand">
        <img src="/console/favicon.svg" alt="" />
        {texts.product}
      </div>
      <h1>{texts.signIn.title}</h1>
      {isSecureContext ? (
        <>
          <p class="soft">{texts.signIn.about}</p>
          {signInNotice.value !== null && <Notice {...signInNotice.value} />}
          {offered.value.length > 0 && <TabChoice sessions={offered.value} />}
          <KeyForm isBusy={isBusy} keep={keep} onKeep={setKeep} onKey={signIn} />
          <Problem text={error} />
        </>
      ) : (
        <Insecure />
      )}
    </KeyDrop>
  )
}

/** Why somebody has to sign in again. */
function Notice({ title, text }: SignInNotice) {
  return (
    <div class="sign-in-notice" role="status">
      <StateIcon kind="ended" />
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  )
}

/** The tabs of this browser have several keys: the person chooses. */
function TabChoice({ sessions }: { readonly sessions: readonly HandedSession[] }) {
  return (
    <section class="stack" aria-label={texts.signIn.tabs}>
      <h2>{texts.signIn.tabs}</h2>
      <p class="soft">{texts.signIn.tabsAbout}</p>
      <ul class="choices">
        {sessions.map((one) => (
          <li key={one.token.token}>
            <button type="button" onClick={() => signInByTab(one)}>
              {texts.signIn.continueAs(one.prefix ?? texts.signIn.byLink)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface KeyFormProps {
  readonly isBusy: boolean
  readonly keep: boolean
  readonly onKeep: (keep: boolean) => void
  readonly onKey: (key: KeyFile) => Promise<void>
}

function KeyForm({ isBusy, keep, onKeep, onKey }: KeyFormProps) {
  const [prefix, setPrefix] = useState('')
  const [secret, setSecret] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    void onKey({ prefix: prefix.trim(), secret: secret.trim() })
  }
  return (
    <form class="stack" onSubmit={submit}>
      <TextField label={texts.signIn.prefix} value={prefix} onValue={setPrefix} placeholder="sk_…" required />
      <TextField label={texts.signIn.secret} type="password" value={secret} onValue={setSecret} required />
      <CheckField label={texts.signIn.keep} checked={keep} onValue={onKeep} />
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={isBusy ? true : undefined}>
          {texts.signIn.signIn}
        </button>
      </div>
    </form>
  )
}

/** The browser signs only in a secure context. */
function Insecure() {
  return (
    <div class="state bad">
      <StateIcon kind="locked" />
      <h2>{texts.signIn.insecureTitle}</h2>
      <p>{texts.signIn.insecure(location.origin)}</p>
      <ul class="list">
        {texts.signIn.insecureWays(location.port).map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
    </div>
  )
}

interface KeyDropProps {
  readonly onFile: (file: File) => Promise<void>
  readonly children: ComponentChildren
}

/** A page on which a key file can be dropped, or chosen below its content. */
function KeyDrop({ onFile, children }: KeyDropProps) {
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0]
    if (file !== undefined && isSecureContext) void onFile(file)
  }
  return (
    <main
      class="center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer?.files)
      }}
    >
      <div class="stack sign-in">
        {children}
        {isSecureContext && (
          <label class="drop">
            <span>{texts.signIn.drop}</span>
            <input
              type="file"
              accept=".json,application/json"
              onChange={(event) => {
                take(event.currentTarget.files)
                event.currentTarget.value = ''
              }}
            />
          </label>
        )}
      </div>
    </main>
  )
}
