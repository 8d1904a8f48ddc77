import { useState } from 'preact/hooks'
import { defaultPermissions } from '../../../domain/permissions.ts'
import type { Api, KeyKind, MadeKey, NewKey } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { SelectField, TextField } from '../components/fields.tsx'
import { texts } from '../texts.ts'
import { PermissionsField } from './permissions-field.tsx'

interface IssueKeyProps {
  readonly api: Api
  readonly game: string
  readonly onIssued: (made: MadeKey) => void
  readonly onClose: () => void
}

/** Issues a key from a preset, whose permissions can be changed before. */
export function IssueKey({ api, game, onIssued, onClose }: IssueKeyProps) {
  const [name, setName] = useState('')
  const [preset, setPreset] = useState<PresetName>('client')
  const [kind, setKind] = useState<KeyKind>('client')
  const [algorithm, setAlgorithm] = useState<NewKey['algorithm']>('hmac-sha256')
  const [permissions, setPermissions] = useState(presetOf('client', game).permissions)
  const choose = (to: PresetName) => {
    const chosen = presetOf(to, game)
    setPreset(to)
    setKind(chosen.kind)
    setPermissions(chosen.permissions)
  }
  const issue = async () => {
    onIssued(await api.issueKey(game, { name: name.trim(), kind, algorithm, permissions }))
  }
  return (
    <ConfirmDialog verb={texts.keys.issue} title={texts.keys.issue} look="primary" onConfirm={issue} onClose={onClose}>
      <TextField label={texts.common.name} value={name} onValue={setName} required />
      <SelectField
        label={texts.keys.preset}
        value={preset}
        options={PRESETS.map((value) => ({ value, text: texts.keys.presets[value] }))}
        onValue={choose}
      />
      <p class="soft small">{texts.keys.presetsAbout[preset]}</p>
      <div class="fields">
        <SelectField
          label={texts.keys.kind}
          value={kind}
          options={[
            { value: 'client', text: texts.keys.kinds.client },
            { value: 'server', text: texts.keys.kinds.server },
          ]}
          onValue={setKind}
        />
        <SelectField
          label={texts.keys.algorithm}
          value={algorithm}
          options={[
            { value: 'hmac-sha256', text: 'hmac-sha256' },
            { value: 'ed25519', text: 'ed25519' },
          ]}
          onValue={setAlgorithm}
        />
      </div>
      <PermissionsField key={preset} game={game} value={permissions} onValue={setPermissions} />
    </ConfirmDialog>
  )
}

/** Sets of permissions for the usual kinds of keys. */
type PresetName = 'client' | 'server' | 'moderator' | 'analyst'

interface Preset {
  readonly kind: KeyKind
  readonly permissions: readonly string[]
}

const PRESETS: readonly PresetName[] = ['client', 'server', 'moderator', 'analyst']

/** What a preset grants in a game. None of them grants more than its name says. */
function presetOf(name: PresetName, game: string): Preset {
  const own = (...areas: string[]) => areas.map((area) => `gm:${game}:${area}`)
  switch (name) {
    case 'client':
    case 'server':
      return { kind: name, permissions: defaultPermissions(name, game) }
    case 'moderator':
      return {
        kind: 'server',
        permissions: [
          ...own('details', 'boards', 'players', 'history', 'realtime'),
          'lb:*:details',
          'lb:*:scores',
          'score:*:details',
          'score:*:delete',
        ],
      }
    case 'analyst':
      return {
        kind: 'server',
        permissions: [...own('details', 'boards', 'history'), 'lb:*:details', 'lb:*:scores', 'score:*:details'],
      }
  }
}
