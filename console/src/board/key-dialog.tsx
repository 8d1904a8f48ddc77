import { useState } from 'preact/hooks'
import type { Api, Leaderboard } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Name } from '../components/name.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'
import { BoardKeyField, isKeyProblem, keyIn } from './key-field.tsx'

interface KeyDialogProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly onClose: () => void
}

/** Changes the key of a leaderboard, or removes it. */
export function KeyDialog({ api, board, onClose }: KeyDialogProps) {
  const [key, setKey] = useState(board.key ?? '')
  const [refused, setRefused] = useState<unknown>(null)
  const change = async () => {
    await api.changeLeaderboard(board.id, { key: keyIn(key) })
    toast(keyIn(key) === null ? texts.boards.keyRemoved : texts.boards.keyChanged)
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
      onRefused={setRefused}
      shownAtField={isKeyProblem}
    >
      <BoardKeyField value={key} onValue={setKey} refused={refused} />
    </ConfirmDialog>
  )
}
