import { useState } from 'preact/hooks'
import type { Player } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Name } from '../components/name.tsx'
import { PageHead } from '../components/page-head.tsx'
import { NoPermission, Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { type PlayerDialogName, PlayerDialogs } from '../player/player-dialogs.tsx'
import { PlayerEntries } from '../player/player-entries.tsx'
import { PlayerEvents } from '../player/player-events.tsx'
import { PlayerSessions } from '../player/player-sessions.tsx'
import { PlayerState } from '../player/player-state.tsx'
import { runAction } from '../run-action.ts'
import { may, type Session } from '../session.ts'
import { program } from '../snippets.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const EVERY_MS = 10_000

/** A player's own page. */
export function PlayerPage({ session, id }: { readonly session: Session; readonly id: string }) {
  const { api, game } = session
  const [dialog, setDialog] = useState<PlayerDialogName | null>(null)
  const needed = `gm:${game ?? '<game>'}:players`
  const isPermitted = game !== null && may(needed)
  const player = useLoad(isPermitted ? `player ${id}` : null, () => api.player(game ?? '', id), {
    everyMs: EVERY_MS,
    tags: [`player:${id}`],
  })
  const call = {
    method: 'GET' as const,
    path: `/api/gm/${game}/players/${id}/`,
    typescript: program('player', [game, id]),
  }
  const { value } = player
  if (value === null || game === null) {
    return (
      <>
        <PageHead title={texts.pages.player} />
        {isPermitted ? <Shown of={player}>{() => null}</Shown> : <NoPermission needed={needed} />}
      </>
    )
  }
  const unban = async () => {
    await runAction(
      () => api.unbanPlayer(game, id),
      () => texts.players.unbanned,
    )
  }
  return (
    <>
      <PageHead
        title={value.name ?? texts.pages.player}
        heading={<Name name={value.name} id={id} whole />}
        about={<PlayerState player={value} />}
        call={call}
      >
        <PlayerActions player={value} onOpen={setDialog} onUnban={unban} />
      </PageHead>
      <PlayerFacts player={value} />
      <PlayerEntries api={api} game={game} player={id} />
      <PlayerSessions api={api} game={game} player={id} />
      <PlayerEvents session={session} player={id} />
      {dialog !== null && (
        <PlayerDialogs api={api} game={game} player={value} open={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

interface PlayerActionsProps {
  readonly player: Player
  readonly onOpen: (dialog: PlayerDialogName) => void
  readonly onUnban: () => Promise<void>
}

function PlayerActions({ player, onOpen, onUnban }: PlayerActionsProps) {
  return (
    <>
      <ActionButton onAct={() => onOpen('rename')}>{texts.players.rename}</ActionButton>
      <ActionButton onAct={() => onOpen('signOut')}>{texts.players.signOut}</ActionButton>
      {player.banned === null ? (
        <ActionButton look="danger" onAct={() => onOpen('ban')}>
          {texts.players.ban}
        </ActionButton>
      ) : (
        <ActionButton onAct={onUnban}>{texts.players.unban}</ActionButton>
      )}
      <ActionButton look="danger" onAct={() => onOpen('delete')}>
        {texts.players.delete}
      </ActionButton>
    </>
  )
}

function PlayerFacts({ player }: { readonly player: Player }) {
  const { banned } = player
  return (
    <dl class="facts panel">
      <div>
        <dt>{texts.common.id}</dt>
        <dd class="mono">{player.id}</dd>
      </div>
      <div>
        <dt>{texts.common.created}</dt>
        <dd>
          <Time at={player.created} />
        </dd>
      </div>
      {player.external_id !== null && (
        <div>
          <dt>{texts.players.externalId}</dt>
          <dd>
            <bdi class="wrap">{player.external_id}</bdi>
          </dd>
        </div>
      )}
      {banned !== null && (
        <div>
          <dt>{texts.players.banned}</dt>
          <dd>
            <Time at={banned.since} /> {texts.players.until}{' '}
            {banned.until === null ? texts.players.forGood : <Time at={banned.until} />}
            {banned.reason !== null && <bdi class="wrap"> {banned.reason}</bdi>}
          </dd>
        </div>
      )}
    </dl>
  )
}
