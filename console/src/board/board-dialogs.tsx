import type { Api, Leaderboard, RankedScore } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Name } from '../components/name.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.ts'
import { RankDialog } from './rank-dialog.tsx'
import { WhyDialog } from './why-dialog.tsx'

export interface OpenDialog {
  readonly kind: 'why' | 'rank' | 'delete'
  readonly score: RankedScore
}

interface BoardDialogsProps {
  readonly api: Api
  readonly board: Leaderboard
  readonly open: OpenDialog
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** The dialog that a row's button opened. */
export function BoardDialogs({ api, board, open: { kind, score }, onClose, onDeleted }: BoardDialogsProps) {
  if (kind === 'why') return <WhyDialog api={api} score={score} onClose={onClose} />
  if (kind === 'rank') return <RankDialog api={api} board={board.id} score={score} onClose={onClose} />
  const remove = async () => {
    await api.deleteScore(score.id)
    toast(texts.board.deleted)
    onDeleted()
  }
  return (
    <ConfirmDialog verb={texts.board.deleteScore} title={texts.board.deleteTitle} onConfirm={remove} onClose={onClose}>
      <p class="wrap">
        <Name name={score.player_name} id={score.player} whole />: <span class="number">{score.score}</span>
      </p>
      <p>{board.unique ? texts.board.deletesAll : texts.board.deletesOne}</p>
    </ConfirmDialog>
  )
}
