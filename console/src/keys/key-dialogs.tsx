import { useState } from 'preact/hooks'
import type { Api, Key } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Name } from '../components/name.tsx'
import { session } from '../session.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { PermissionsField } from './permissions-field.tsx'

export interface OpenKeyDialog {
  readonly kind: 'permissions' | 'revoke'
  readonly key: Key
}

interface KeyDialogsProps {
  readonly api: Api
  readonly game: string
  readonly open: OpenKeyDialog
  readonly onClose: () => void
}

/** The dialog that a key's button opened. */
export function KeyDialogs({ api, game, open: { kind, key }, onClose }: KeyDialogsProps) {
  const [permissions, setPermissions] = useState(key.permissions)
  const name = <Name name={key.name} id={key.prefix} whole />
  if (kind === 'permissions') {
    const change = async () => {
      await api.changeKey(game, key.prefix, permissions)
      toast(texts.keys.changed)
    }
    const title = (
      <>
        {texts.keys.changeOf} {name}
      </>
    )
    return (
      <ConfirmDialog verb={texts.keys.change} title={title} look="primary" onConfirm={change} onClose={onClose}>
        <PermissionsField game={game} value={permissions} onValue={setPermissions} />
      </ConfirmDialog>
    )
  }
  const revoke = async () => {
    await api.revokeKey(game, key.prefix)
    toast(texts.keys.wasRevoked)
  }
  return (
    <ConfirmDialog
      verb={texts.keys.revoke}
      title={
        <>
          {texts.keys.revokeOf} {name}
        </>
      }
      onConfirm={revoke}
      onClose={onClose}
    >
      <p class="mono wrap">{key.prefix}</p>
      <p>{texts.keys.revokeAbout}</p>
      {key.prefix === session.value?.prefix && <p class="message bad">{texts.keys.revokeOwn}</p>}
    </ConfirmDialog>
  )
}
