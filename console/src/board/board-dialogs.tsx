import type { Api, Leaderboard, RankedScore } from '../api.ts'
import { ConfirmDialog } from '../components/confirm-dialog.tsx'
import { Name } from '../components/name.tsx'
import { NumberText } from '../components/number-text.tsx'
import { PlayerDialogs } from '../player/player-dialogs.tsx'
import { texts } from '../texts.ts'
import { toast } from '../toasts.tsx'

export interface OpenDialog {
  readonly kind: 'ban' | 'delete'
  readonly score: RankedScore
}

interface BoardDialogsProps {
  readonly api: Api
  readonly game: string | null
  readonly board: Leaderboard
  readonly open: OpenDialog
  readonly onClose: () => void
  /** Called when the entry is no longer on the leaderboard. */
  readonly onGone: () => void
}

/** The dialog that a row's action opened. */
export function BoardDialogs({ api, game, board, open: { kind, score }, onClose, onGone }: BoardDialogsProps) {
  if (kind === 'ban' && game !== null) {
    const player = { id: score.player, name: score.player_name }
    return <PlayerDialogs api={api} game={game} player={player} open="ban" onClose={onClose} />
  }
  const remove = async () => {
    await api.deleteScore(score.id)
    toast(texts.board.deleted)
    onGone()
  }
  return (
    <ConfirmDialog verb={texts.board.deleteScore} title={texts.board.deleteTitle} onConfirm={remove} onClose={onClose}>
      <p class="wrap">
        <Name name={score.player_name} id={score.player} whole />: <NumberText value={score.score} />
      </p>
      <p>{board.unique ? texts.board.deletesAll : texts.board.deletesOne}</p>
    </ConfirmDialog>
  )
}
