// Collects the writes of a view and writes them in a safe order.
function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import { partitionOf } from '../domain/partition.ts';
import type { AllRankings, RankingChange } from '../stores/contract/rankings.ts';
import type { Batch, Checkpoint, Views } from '../stores/contract/views.ts';
import { type Projection, viewKey } from './projection.ts';
import { asWrite, type Change, hiddenKeyOf } from './working-set.ts';

/** The writes of one view. */
export interface ViewChanges {
  readonly batch: Batch;
  /** Partition -> its ranking changes, in order. */
  readonly rankings: ReadonlyMap<number, readonly RankingChange[]>;
}
export function viewChangesOf(projection: Projection, changes: readonly Change[], checkpoints: ReadonlyMap<number, Checkpoint>, isOfMany: boolean): ViewChanges {
  if (stryMutAct_9fa48("8660")) {
    {}
  } else {
    stryCov_9fa48("8660");
    const own = stryMutAct_9fa48("8661") ? {} : (stryCov_9fa48("8661"), {
      view: viewKey(projection),
      writes: changes.map(asWrite),
      checkpoints
    });
    const batch: Batch = isOfMany ? stryMutAct_9fa48("8662") ? {} : (stryCov_9fa48("8662"), {
      ...own,
      ofMany: stryMutAct_9fa48("8663") ? false : (stryCov_9fa48("8663"), true)
    }) : own;
    return stryMutAct_9fa48("8664") ? {} : (stryCov_9fa48("8664"), {
      batch,
      rankings: rankingChanges(projection, changes)
    });
  }
}
interface WriteDeps {
  readonly views: Pick<Views, 'commit' | 'ready'>;
  readonly rankings: AllRankings;
}

/**
 * Writes rankings before documents, and documents before (or with) checkpoints. If it fails, the same events are
 * applied again; rankings ignore changes that they already have.
 */
export async function write(deps: WriteDeps, ...taken: readonly ViewChanges[]): Promise<void> {
  if (stryMutAct_9fa48("8665")) {
    {}
  } else {
    stryCov_9fa48("8665");
    if (stryMutAct_9fa48("8668") ? taken.every(({
      rankings
    }) => rankings.size > 0) : stryMutAct_9fa48("8667") ? false : stryMutAct_9fa48("8666") ? true : (stryCov_9fa48("8666", "8667", "8668"), taken.some(stryMutAct_9fa48("8669") ? () => undefined : (stryCov_9fa48("8669"), ({
      rankings
    }) => stryMutAct_9fa48("8673") ? rankings.size <= 0 : stryMutAct_9fa48("8672") ? rankings.size >= 0 : stryMutAct_9fa48("8671") ? false : stryMutAct_9fa48("8670") ? true : (stryCov_9fa48("8670", "8671", "8672", "8673"), rankings.size > 0))))) {
      if (stryMutAct_9fa48("8674")) {
        {}
      } else {
        stryCov_9fa48("8674");
        // Wait first: if the commit had to wait after the rankings were written, readers would find rankings ahead of
        // documents.
        await (stryMutAct_9fa48("8675") ? deps.views.ready() : (stryCov_9fa48("8675"), deps.views.ready?.()));
        const puts = taken.flatMap(stryMutAct_9fa48("8676") ? () => undefined : (stryCov_9fa48("8676"), ({
          batch,
          rankings
        }) => (stryMutAct_9fa48("8677") ? [] : (stryCov_9fa48("8677"), [...rankings])).map(stryMutAct_9fa48("8678") ? () => undefined : (stryCov_9fa48("8678"), ([partition, changes]) => deps.rankings.of(batch.view, partition).put(changes)))));
        await Promise.all(puts);
      }
    }
    await deps.views.commit(taken.map(stryMutAct_9fa48("8679") ? () => undefined : (stryCov_9fa48("8679"), one => one.batch)));
  }
}
function rankingChanges({
  ranked
}: Projection, changes: readonly Change[]): Map<number, RankingChange[]> {
  if (stryMutAct_9fa48("8680")) {
    {}
  } else {
    stryCov_9fa48("8680");
    const partitions = new Map<number, RankingChange[]>();
    if (stryMutAct_9fa48("8683") ? ranked !== undefined : stryMutAct_9fa48("8682") ? false : stryMutAct_9fa48("8681") ? true : (stryCov_9fa48("8681", "8682", "8683"), ranked === undefined)) return partitions;
    for (const {
      collection,
      pos,
      game,
      before,
      left,
      after
    } of changes) {
      if (stryMutAct_9fa48("8684")) {
        {}
      } else {
        stryCov_9fa48("8684");
        if (stryMutAct_9fa48("8687") ? collection === ranked.collection : stryMutAct_9fa48("8686") ? false : stryMutAct_9fa48("8685") ? true : (stryCov_9fa48("8685", "8686", "8687"), collection !== ranked.collection)) continue;
        const is = (after?.[ranked.member] ?? null) as string | null;
        const comes = stryMutAct_9fa48("8690") ? is !== null || is !== before?.[ranked.member] : stryMutAct_9fa48("8689") ? false : stryMutAct_9fa48("8688") ? true : (stryCov_9fa48("8688", "8689", "8690"), (stryMutAct_9fa48("8692") ? is === null : stryMutAct_9fa48("8691") ? true : (stryCov_9fa48("8691", "8692"), is !== null)) && (stryMutAct_9fa48("8694") ? is === before?.[ranked.member] : stryMutAct_9fa48("8693") ? true : (stryCov_9fa48("8693", "8694"), is !== (stryMutAct_9fa48("8695") ? before[ranked.member] : (stryCov_9fa48("8695"), before?.[ranked.member])))));
        // A hidden entry only moves the ranking's last applied position, so that an older change by a node that still sees
        // the entry shown is ignored.
        const hiddenIn = hiddenKeyOf(after, ranked);
        if (stryMutAct_9fa48("8698") ? left === null && !comes || hiddenIn === null : stryMutAct_9fa48("8697") ? false : stryMutAct_9fa48("8696") ? true : (stryCov_9fa48("8696", "8697", "8698"), (stryMutAct_9fa48("8700") ? left === null || !comes : stryMutAct_9fa48("8699") ? true : (stryCov_9fa48("8699", "8700"), (stryMutAct_9fa48("8702") ? left !== null : stryMutAct_9fa48("8701") ? true : (stryCov_9fa48("8701", "8702"), left === null)) && (stryMutAct_9fa48("8703") ? comes : (stryCov_9fa48("8703"), !comes)))) && (stryMutAct_9fa48("8705") ? hiddenIn !== null : stryMutAct_9fa48("8704") ? true : (stryCov_9fa48("8704", "8705"), hiddenIn === null)))) continue;
        const partition = partitionOf(game);
        const key = stryMutAct_9fa48("8706") ? (left?.key ?? hiddenIn) && after?.[ranked.key] as string : (stryCov_9fa48("8706"), (stryMutAct_9fa48("8707") ? left?.key && hiddenIn : (stryCov_9fa48("8707"), (stryMutAct_9fa48("8708") ? left.key : (stryCov_9fa48("8708"), left?.key)) ?? hiddenIn)) ?? after?.[ranked.key] as string);
        const change = stryMutAct_9fa48("8709") ? {} : (stryCov_9fa48("8709"), {
          key,
          before: stryMutAct_9fa48("8710") ? left?.members && NONE : (stryCov_9fa48("8710"), (stryMutAct_9fa48("8711") ? left.members : (stryCov_9fa48("8711"), left?.members)) ?? NONE),
          after: is,
          pos
        });
        const found = partitions.get(partition);
        if (stryMutAct_9fa48("8714") ? found !== undefined : stryMutAct_9fa48("8713") ? false : stryMutAct_9fa48("8712") ? true : (stryCov_9fa48("8712", "8713", "8714"), found === undefined)) partitions.set(partition, stryMutAct_9fa48("8715") ? [] : (stryCov_9fa48("8715"), [change]));else found.push(change);
      }
    }
    return partitions;
  }
}
const NONE: readonly string[] = stryMutAct_9fa48("8716") ? ["Stryker was here"] : (stryCov_9fa48("8716"), []);