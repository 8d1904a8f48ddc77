import type { MadeKey } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Name } from '../components/name.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { shellSnippet, typescriptSnippet } from './key-snippets.ts'

interface IssuedKeyProps {
  readonly made: MadeKey
  readonly game: string
  readonly onClose: () => void
}

/** A new key with its secret, which is shown only this time. */
export function IssuedKey({ made, game, onClose }: IssuedKeyProps) {
  const title = (
    <>
      {texts.keys.issued} <Name name={made.name} id={made.prefix} whole />
    </>
  )
  const { prefix, secret, private_key: seed } = made
  const file = JSON.stringify({ prefix, ...(secret === undefined ? { private_key: seed } : { secret }), game }, null, 2)
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p class="message past">{texts.keys.onlyOnce}</p>
      <dl class="stack">
        <div>
          <dt class="label">{texts.signIn.prefix}</dt>
          <dd class="mono wrap">{prefix}</dd>
        </div>
        <div>
          <dt class="label">{secret === undefined ? texts.keys.privateKey : texts.signIn.secret}</dt>
          <dd class="mono wrap">{secret ?? seed}</dd>
        </div>
      </dl>
      <CodeBlock label={texts.keys.file} code={file} />
      <CodeBlock label={texts.keys.shell} code={shellSnippet(made, game, location.origin)} />
      <CodeBlock label={texts.keys.typescript} code={typescriptSnippet(made, game, location.origin)} />
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {texts.keys.stored}
        </button>
      </div>
    </Dialog>
  )
}

interface CodeBlockProps {
  readonly label: string
  readonly code: string
}

/** A program to copy. */
function CodeBlock({ label, code }: CodeBlockProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(code)
    toast(texts.copy.done(label))
  }
  return (
    <div class="stack">
      <div class="head">
        <h3>{label}</h3>
        <ActionButton onAct={copy}>{texts.copy.code(label)}</ActionButton>
      </div>
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
    </div>
  )
}
