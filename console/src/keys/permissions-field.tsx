import { useState } from 'preact/hooks'
import { anyCovers } from '../../../domain/permissions.ts'
import { Field } from '../components/fields.tsx'
import { texts } from '../texts.ts'

interface PermissionsFieldProps {
  readonly game: string
  readonly value: readonly string[]
  readonly onValue: (value: readonly string[]) => void
}

/** The permissions of a key: chosen from a list, or typed. */
export function PermissionsField(props: PermissionsFieldProps) {
  const [isText, setText] = useState(false)
  return (
    <div class="stack">
      {isText ? <PermissionsText {...props} /> : <PermissionsList {...props} />}
      <div class="actions">
        <button type="button" class="minor" onClick={() => setText(!isText)}>
          {isText ? texts.keys.asList : texts.keys.asText}
        </button>
        {!isText && <span class="soft small">{texts.keys.permissionsAbout}</span>}
      </div>
    </div>
  )
}

function PermissionsText({ value, onValue }: PermissionsFieldProps) {
  const [text, setText] = useState(value.join('\n'))
  return (
    <Field label={texts.keys.permissions} hint={texts.keys.permissionsHint}>
      {(control) => (
        <textarea
          {...control}
          rows={8}
          value={text}
          spellcheck={false}
          onInput={(event) => {
            setText(event.currentTarget.value)
            onValue(permissionsIn(event.currentTarget.value))
          }}
        />
      )}
    </Field>
  )
}

function PermissionsList({ game, value, onValue }: PermissionsFieldProps) {
  const offered = offeredPermissions(game)
  const known = new Set(offered.map(({ permission }) => permission))
  const others = value.filter((one) => !known.has(one)).map((permission) => ({ permission, about: '' }))
  const set = (permission: string, isHeld: boolean) =>
    onValue(isHeld ? [...value, permission] : value.filter((one) => one !== permission))
  return (
    <fieldset class="permissions">
      <legend>{texts.keys.permissions}</legend>
      <ul>
        {[...offered, ...others].map(({ permission, about }) => {
          const isHeld = value.includes(permission)
          // Another permission of the key, such as one with `*`, allows the same.
          const isCovered = !isHeld && anyCovers(value, permission)
          return (
            <li key={permission}>
              <label class="check">
                <input
                  type="checkbox"
                  checked={isHeld || isCovered}
                  disabled={isCovered}
                  onChange={(event) => set(permission, event.currentTarget.checked)}
                />
                <span>
                  {about !== '' && <span>{about} </span>}
                  <code class="soft">{permission}</code>
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

/** Permissions as they are typed: separated by spaces or lines. */
const permissionsIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))]

interface OfferedPermission {
  readonly permission: string
  readonly about: string
}

/** All permissions that calls need, as keys usually hold them: for each leaderboard, score and bucket of the game. */
function offeredPermissions(game: string): readonly OfferedPermission[] {
  return Object.entries(texts.permissions).map(([shape, about]) => ({
    permission: shape.replace('{game}', game),
    about,
  }))
}
