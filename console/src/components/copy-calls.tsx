import { session } from '../session.ts'
import { curlCommand, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.ts'
import { ActionButton } from './action-button.tsx'

/** Copies the call that a page shows, as a command and as a program. */
export function CopyCalls({ call }: { readonly call: ShownCall }) {
  const copy = async (text: string, what: string) => {
    await navigator.clipboard.writeText(text)
    toast(what)
  }
  const asCurl = async () => {
    const token = await session.value?.api.token()
    if (token !== undefined) await copy(curlCommand(location.origin, call, token), texts.copy.curlDone)
  }
  return (
    <div class="actions">
      <ActionButton look="minor" onAct={asCurl}>
        {texts.copy.curl}
      </ActionButton>
      <ActionButton look="minor" onAct={() => copy(call.typescript(location.origin), texts.copy.typescriptDone)}>
        {texts.copy.typescript}
      </ActionButton>
      <span class="soft small">{texts.copy.note}</span>
    </div>
  )
}
