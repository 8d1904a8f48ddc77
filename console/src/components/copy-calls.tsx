import { signal } from '@preact/signals'
import { session } from '../session.ts'
import { curlCommand, type ShownCall } from '../snippets.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { ActionButton } from './action-button.tsx'
import { Menu } from './menu.tsx'

type Language = 'curl' | 'typescript'

const LANGUAGES: readonly Language[] = ['curl', 'typescript']
const KEPT = 'scorebook-console-copies'

/** What was copied last in this browser. */
const preferred = signal<Language>(LANGUAGES.find((one) => one === localStorage.getItem(KEPT)) ?? 'curl')

/** Copies the call that a page shows, as a command or as a program. The button offers the language chosen last. */
export function CopyCalls({ call }: { readonly call: ShownCall }) {
  const copyAs = async (language: Language) => {
    preferred.value = language
    localStorage.setItem(KEPT, language)
    await (language === 'curl' ? copyCurl(call) : copyTypescript(call))
  }
  const chosen = preferred.value
  return (
    <div class="joined">
      <ActionButton
        look="minor"
        onAct={() => copyAs(chosen)}
        about={chosen === 'curl' ? texts.copy.note : texts.copy.typescriptNote}
      >
        {texts.copy[chosen]}
      </ActionButton>
      <Menu
        label={texts.copy.menu}
        about={texts.copy.menuAbout}
        look="minor"
        items={LANGUAGES.map((one) => ({ text: texts.copy[one], onAct: () => copyAs(one) }))}
      />
      {chosen === 'curl' && <span class="soft small">{texts.copy.note}</span>}
    </div>
  )
}

async function copyCurl(call: ShownCall): Promise<void> {
  const token = await session.value?.api.token()
  if (token === undefined) return
  await navigator.clipboard.writeText(curlCommand(location.origin, call, token))
  toast(texts.copy.curlDone)
}

async function copyTypescript(call: ShownCall): Promise<void> {
  await navigator.clipboard.writeText(call.typescript(location.origin))
  toast(texts.copy.typescriptDone)
}
