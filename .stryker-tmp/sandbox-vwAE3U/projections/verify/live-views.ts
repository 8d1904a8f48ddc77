// The live views during a comparison: tracks the position they have reached, and keeps the rebuilt views from getting
// ahead of them.
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
import type { Position, StoredEvent } from '../../domain/event.ts';
import { ALL_PARTITIONS, partitionOf } from '../../domain/partition.ts';
import type { Log } from '../../stores/contract/log.ts';
import type { Views } from '../../stores/contract/views.ts';
import { leastReached } from '../checkpoints.ts';
import { type Projection, viewKey } from '../projection.ts';
import type { RebuiltViews } from './rebuilt-views.ts';
const POLL_EVERY_MS = 50;
/** LiveViews views that do not move for so long, with events before them, stand still. */
const STOPPED_AFTER_MS = 10_000;
export interface LiveDeps {
  readonly log: Log;
  readonly live: Views;
  readonly projections: readonly Projection[];
  /** Overrides STOPPED_AFTER_MS. */
  readonly standStillMs?: number;
}
export class LiveViews {
  readonly #deps: LiveDeps;
  readonly #rebuilt: RebuiltViews;
  readonly #signal: AbortSignal;
  /** The positions at which they were found to have stopped; '' if they were not. */
  #stoppedAt = stryMutAct_9fa48("8038") ? "Stryker was here!" : (stryCov_9fa48("8038"), '');
  constructor(deps: LiveDeps, rebuilt: RebuiltViews, signal: AbortSignal) {
    if (stryMutAct_9fa48("8039")) {
      {}
    } else {
      stryCov_9fa48("8039");
      this.#deps = deps;
      this.#rebuilt = rebuilt;
      this.#signal = signal;
    }
  }

  /** Whether they stopped before the end of the log. */
  get isBehind(): boolean {
    if (stryMutAct_9fa48("8040")) {
      {}
    } else {
      stryCov_9fa48("8040");
      return stryMutAct_9fa48("8043") ? this.#stoppedAt === '' : stryMutAct_9fa48("8042") ? false : stryMutAct_9fa48("8041") ? true : (stryCov_9fa48("8041", "8042", "8043"), this.#stoppedAt !== (stryMutAct_9fa48("8044") ? "Stryker was here!" : (stryCov_9fa48("8044"), '')));
    }
  }

  /**
   * Brings the rebuilt views to the last event that the live ones have fully applied, and then on to the current head
   * of the log as the live ones reach it. After that a comparison is safe: the live views are not older than the
   * rebuilt ones.
   */
  async align(): Promise<void> {
    if (stryMutAct_9fa48("8045")) {
      {}
    } else {
      stryCov_9fa48("8045");
      const head = stryMutAct_9fa48("8046") ? (await this.#deps.log.head()) && '' : (stryCov_9fa48("8046"), (await this.#deps.log.head()) ?? (stryMutAct_9fa48("8047") ? "Stryker was here!" : (stryCov_9fa48("8047"), '')));
      let before = stryMutAct_9fa48("8048") ? "Stryker was here!" : (stryCov_9fa48("8048"), '');
      let sinceMs = performance.now();
      if (stryMutAct_9fa48("8049")) {
        for (; false;) {
          const reached = await this.#reached();
          const isDue = ({
            position,
            meta
          }: StoredEvent) => position <= (reached.get(partitionOf(meta.game)) ?? '');
          await this.#rebuilt.advance(isDue, this.#signal);
          if (this.#rebuilt.at >= head && this.#rebuilt.isReachedBy(reached)) return;
          const now = JSON.stringify([...reached]);
          if (now === this.#stoppedAt) return;
          if (now !== before) {
            before = now;
            sinceMs = performance.now();
          } else if (performance.now() - sinceMs >= (this.#deps.standStillMs ?? STOPPED_AFTER_MS)) {
            this.#stoppedAt = now;
            return;
          }
          await new Promise(wake => setTimeout(wake, POLL_EVERY_MS));
        }
      } else {
        stryCov_9fa48("8049");
        for (;;) {
          if (stryMutAct_9fa48("8050")) {
            {}
          } else {
            stryCov_9fa48("8050");
            const reached = await this.#reached();
            const isDue = stryMutAct_9fa48("8051") ? () => undefined : (stryCov_9fa48("8051"), (() => {
              const isDue = ({
                position,
                meta
              }: StoredEvent) => stryMutAct_9fa48("8055") ? position > (reached.get(partitionOf(meta.game)) ?? '') : stryMutAct_9fa48("8054") ? position < (reached.get(partitionOf(meta.game)) ?? '') : stryMutAct_9fa48("8053") ? false : stryMutAct_9fa48("8052") ? true : (stryCov_9fa48("8052", "8053", "8054", "8055"), position <= (stryMutAct_9fa48("8056") ? reached.get(partitionOf(meta.game)) && '' : (stryCov_9fa48("8056"), reached.get(partitionOf(meta.game)) ?? (stryMutAct_9fa48("8057") ? "Stryker was here!" : (stryCov_9fa48("8057"), '')))));
              return isDue;
            })());
            await this.#rebuilt.advance(isDue, this.#signal);
            if (stryMutAct_9fa48("8060") ? this.#rebuilt.at >= head || this.#rebuilt.isReachedBy(reached) : stryMutAct_9fa48("8059") ? false : stryMutAct_9fa48("8058") ? true : (stryCov_9fa48("8058", "8059", "8060"), (stryMutAct_9fa48("8063") ? this.#rebuilt.at < head : stryMutAct_9fa48("8062") ? this.#rebuilt.at > head : stryMutAct_9fa48("8061") ? true : (stryCov_9fa48("8061", "8062", "8063"), this.#rebuilt.at >= head)) && this.#rebuilt.isReachedBy(reached))) return;
            const now = JSON.stringify(stryMutAct_9fa48("8064") ? [] : (stryCov_9fa48("8064"), [...reached]));
            if (stryMutAct_9fa48("8067") ? now !== this.#stoppedAt : stryMutAct_9fa48("8066") ? false : stryMutAct_9fa48("8065") ? true : (stryCov_9fa48("8065", "8066", "8067"), now === this.#stoppedAt)) return;
            if (stryMutAct_9fa48("8070") ? now === before : stryMutAct_9fa48("8069") ? false : stryMutAct_9fa48("8068") ? true : (stryCov_9fa48("8068", "8069", "8070"), now !== before)) {
              if (stryMutAct_9fa48("8071")) {
                {}
              } else {
                stryCov_9fa48("8071");
                before = now;
                sinceMs = performance.now();
              }
            } else if (stryMutAct_9fa48("8075") ? performance.now() - sinceMs < (this.#deps.standStillMs ?? STOPPED_AFTER_MS) : stryMutAct_9fa48("8074") ? performance.now() - sinceMs > (this.#deps.standStillMs ?? STOPPED_AFTER_MS) : stryMutAct_9fa48("8073") ? false : stryMutAct_9fa48("8072") ? true : (stryCov_9fa48("8072", "8073", "8074", "8075"), (stryMutAct_9fa48("8076") ? performance.now() + sinceMs : (stryCov_9fa48("8076"), performance.now() - sinceMs)) >= (stryMutAct_9fa48("8077") ? this.#deps.standStillMs && STOPPED_AFTER_MS : (stryCov_9fa48("8077"), this.#deps.standStillMs ?? STOPPED_AFTER_MS)))) {
              if (stryMutAct_9fa48("8078")) {
                {}
              } else {
                stryCov_9fa48("8078");
                this.#stoppedAt = now;
                return;
              }
            }
            await new Promise(stryMutAct_9fa48("8079") ? () => undefined : (stryCov_9fa48("8079"), wake => setTimeout(wake, POLL_EVERY_MS)));
          }
        }
      }
    }
  }

  /** Partition -> the position that every view has applied. */
  async #reached(): Promise<Map<number, Position>> {
    if (stryMutAct_9fa48("8080")) {
      {}
    } else {
      stryCov_9fa48("8080");
      const {
        live,
        projections
      } = this.#deps;
      const all = await Promise.all(projections.map(stryMutAct_9fa48("8081") ? () => undefined : (stryCov_9fa48("8081"), projection => live.checkpoints(viewKey(projection)))));
      return new Map(ALL_PARTITIONS.map(stryMutAct_9fa48("8082") ? () => undefined : (stryCov_9fa48("8082"), partition => stryMutAct_9fa48("8083") ? [] : (stryCov_9fa48("8083"), [partition, stryMutAct_9fa48("8084") ? leastReached(all, partition) && '' : (stryCov_9fa48("8084"), leastReached(all, partition) ?? (stryMutAct_9fa48("8085") ? "Stryker was here!" : (stryCov_9fa48("8085"), '')))]))));
    }
  }
}