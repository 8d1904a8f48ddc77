import { useState } from 'preact/hooks'
import type { Api, Leaderboard } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { TextField } from '../components/fields.tsx'
import { Name } from '../components/name.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'

interface KeyFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

/** The field of a leaderboard's key; empty: none. */
export const BoardKeyField = ({ value, onValue }: KeyFieldProps) => (
  <TextField label={texts.boards.key} hint={texts.boards.keyHint} value={value} onValue={onValue} />
)

/** The key in a field, for the API. */
export const keyIn = (field: string): string | null => (field.trim() === '' ? null : field.trim())

interface ChangeKeyProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly onChange: () => void
}

/** The button that opens the dialog. */
export function ChangeKey({ api, board, onChange }: ChangeKeyProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ActionButton onAct={() => setOpen(true)} needs={`lb:${board.id}:configure`}>
        {texts.boards.changeKey}
      </ActionButton>
      {isOpen && <KeyDialog api={api} board={board} onChange={onChange} onClose={() => setOpen(false)} />}
    </>
  )
}

function KeyDialog({ api, board, onChange, onClose }: ChangeKeyProps & { readonly onClose: () => void }) {
  const [key, setKey] = useState(board.key ?? '')
  const change = async () => {
    await api.changeLeaderboard(board.id, { key: keyIn(key) })
    toast(texts.boards.keyChanged)
    onChange()
  }
  return (
    <ConfirmDialog
      verb={texts.boards.changeKey}
      title={
        <>
          {texts.boards.changeKey}: <Name name={board.name} id={board.id} whole />
        </>
      }
      look="primary"
      onConfirm={change}
      onClose={onClose}
    >
      <BoardKeyField value={key} onValue={setKey} />
    </ConfirmDialog>
  )
}
