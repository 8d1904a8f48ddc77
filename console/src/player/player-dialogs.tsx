import { useState } from 'preact/hooks'
import type { Api, Player } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { go } from '../navigation.ts'
import { to } from '../routes.ts'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'

export type PlayerDialogName = 'rename' | 'ban' | 'signOut' | 'delete'

type Named = Pick<Player, 'id' | 'name'>

interface DialogProps {
  readonly api: Api
  readonly game: string
  readonly player: Named
  readonly onClose: () => void
}

/** The dialog that a button of the player's page opened. */
export function PlayerDialogs({ open, ...props }: DialogProps & { readonly open: PlayerDialogName }) {
  switch (open) {
    case 'rename':
      return <Rename {...props} />
    case 'ban':
      return <Ban {...props} />
    case 'signOut':
      return <SignOut {...props} />
    case 'delete':
      return <Delete {...props} />
  }
}

const titleOf = (verb: string, { name, id }: Named) => (
  <>
    {verb}: <Name name={name} id={id} whole />
  </>
)

function Rename({ api, game, player, onClose }: DialogProps) {
  const [name, setName] = useState(player.name ?? '')
  const rename = async () => {
    await api.renamePlayer(game, player.id, name)
    toast(texts.players.renamed)
  }
  return (
    <ConfirmDialog
      verb={texts.players.rename}
      title={titleOf(texts.players.rename, player)}
      look="primary"
      onConfirm={rename}
      onClose={onClose}
    >
      <TextField label={texts.common.name} value={name} onValue={setName} required />
    </ConfirmDialog>
  )
}

function Ban({ api, game, player, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState('')
  const ban = async () => {
    const end = until === '' ? {} : { until: new Date(until).toISOString() }
    await api.banPlayer(game, player.id, { ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...end })
    toast(texts.players.wasBanned)
  }
  return (
    <ConfirmDialog
      verb={texts.players.ban}
      title={titleOf(texts.players.ban, player)}
      onConfirm={ban}
      onClose={onClose}
    >
      <p>{texts.players.banAbout}</p>
      <TextField label={texts.players.reason} value={reason} onValue={setReason} maxLength={1_000} />
      <TextField
        label={texts.players.end}
        type="datetime-local"
        value={until}
        onValue={setUntil}
        hint={texts.players.endHint}
      />
    </ConfirmDialog>
  )
}

function SignOut({ api, game, player, onClose }: DialogProps) {
  const signOut = async () => {
    await api.signOutPlayer(game, player.id)
    toast(texts.players.signedOut)
  }
  return (
    <ConfirmDialog
      verb={texts.players.signOut}
      title={titleOf(texts.players.signOut, player)}
      onConfirm={signOut}
      onClose={onClose}
    >
      <p>{texts.players.signOutAbout}</p>
    </ConfirmDialog>
  )
}

function Delete({ api, game, player, onClose }: DialogProps) {
  const [typed, setTyped] = useState('')
  const asked = player.name ?? player.id
  const remove = async () => {
    await api.deletePlayer(game, player.id)
    toast(texts.players.deleted)
    go(to.page('players'))
  }
  return (
    <ConfirmDialog
      verb={texts.players.delete}
      title={titleOf(texts.players.delete, player)}
      onConfirm={remove}
      onClose={onClose}
      isReady={typed === asked || typed === player.id}
    >
      <p>{texts.players.deleteAbout}</p>
      <TextField label={texts.players.typeName} value={typed} onValue={setTyped} hint={texts.players.typeHint} />
      <p class="wrap">
        <bdi>{asked}</bdi>
      </p>
    </ConfirmDialog>
  )
}
