import { useState } from 'preact/hooks'
import type { MadeKey } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { CopyBlock } from '../components/copy-block.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Name } from '../components/name.tsx'
import { Tabs } from '../components/tabs.tsx'
import { saveFile } from '../csv.ts'
import { texts } from '../texts.ts'
import { shellSnippet, typescriptSnippet } from './key-snippets.ts'

interface IssuedKeyProps {
  readonly made: MadeKey
  readonly game: string
  readonly onClose: () => void
}

/** A new key with its secret, which is shown only this time. It closes once the secret was copied or saved. */
export function IssuedKey({ made, game, onClose }: IssuedKeyProps) {
  const [isKept, setKept] = useState(false)
  const { prefix, secret, private_key: seed } = made
  const file = JSON.stringify({ prefix, ...(secret === undefined ? { private_key: seed } : { secret }), game }, null, 2)
  const kept = () => setKept(true)
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    kept()
  }
  const save = () => {
    saveFile(`${prefix}.json`, [`${file}\n`], 'application/json')
    kept()
  }
  const secretName = secret === undefined ? texts.keys.privateKey : texts.signIn.secret
  const title = (
    <>
      {texts.keys.issued} <Name name={made.name} id={prefix} whole />
    </>
  )
  return (
    <Dialog title={title} onClose={onClose} wide stays>
      <p class="message past">{texts.keys.onlyOnce}</p>
      <dl class="facts">
        <div>
          <dt>{texts.signIn.prefix}</dt>
          <dd class="mono">{prefix}</dd>
        </div>
        <div>
          <dt>{secretName}</dt>
          <dd class="mono">{secret ?? seed}</dd>
        </div>
      </dl>
      <div class="actions">
        <ActionButton look="primary" onAct={save}>
          {texts.keys.saveFile}
        </ActionButton>
        <ActionButton onAct={() => copy(file)}>{texts.copy.code(texts.keys.file)}</ActionButton>
        <ActionButton onAct={() => copy(secret ?? seed ?? '')}>{texts.copy.code(secretName)}</ActionButton>
        <ActionButton onAct={onClose} blocked={isKept ? null : texts.keys.notKept}>
          {texts.keys.stored}
        </ActionButton>
        <span class="soft small" role="status">
          {isKept ? texts.keys.kept : texts.keys.notKept}
        </span>
      </div>
      <Tabs label={texts.keys.snippets} tabs={snippetsOf(made, game, kept)} />
    </Dialog>
  )
}

/** The first call with the key, in each language. */
function snippetsOf(made: MadeKey, game: string, onCopied: () => void) {
  const snippets = [
    { name: texts.keys.shell, code: shellSnippet(made, game, location.origin) },
    { name: texts.keys.typescript, code: typescriptSnippet(made, game, location.origin) },
  ]
  return snippets.map(({ name, code }) => ({
    name,
    content: <CopyBlock label={name} code={code} onCopied={onCopied} />,
  }))
}
