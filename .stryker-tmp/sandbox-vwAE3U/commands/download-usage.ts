// Counts downloads before they are sent, in few events however many and however small they are: a node counts ahead for
// each bucket, as much again as it sent of it lately, and hands that out from memory. What was not handed out is given
// back once the bucket is at rest. A node that is killed leaves at most AHEAD_MOST_BYTES of each bucket counted that
// nobody got.
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
import { BucketLedger, type LedgerOptions } from './bucket-ledger.ts';
import type { CommandDeps } from './command-deps.ts';
const SETTLED_EVERY_MS = 1_000;
/**
 * Before a bucket was asked for so often within two seconds it is not busy, and what is counted of it is what was sent.
 */
const BUSY_FROM = 16;
export interface DownloadUsageOptions extends Pick<LedgerOptions, 'now' | 'failed'> {
  /** Milliseconds between two settlings. */
  readonly everyMs?: number;
  readonly busyFrom?: number;
}
export interface DownloadUsage {
  /**
   * So many bytes of a download are about to be sent. Returns a function to call once with the number of bytes that were not sent.
   * Rejects as `sending` does: then they must not be sent.
   */
  sending(bucket: string, download: string, bytes: number): Promise<(unsent: number) => Promise<void>>;
  /**
   * Told once in a while: says what was handed out, and gives back what is ahead of buckets that are at rest; where
   * `all`, of all.
   */
  settle(all?: boolean): Promise<void>;
  /**
   * Says what was handed out of a bucket and gives back what is ahead of it, at once: for who is refused while this
   * node alone stands in the way. Whether there was anything. Rejects as `sending` does.
   */
  giveBack(bucket: string): Promise<boolean>;
  /** After the last download. What cannot be given back stays counted. */
  close(): Promise<void>;
}
export function createDownloadUsage(commands: CommandDeps, options: DownloadUsageOptions): DownloadUsage {
  if (stryMutAct_9fa48("314")) {
    {}
  } else {
    stryCov_9fa48("314");
    const {
      now,
      failed,
      everyMs = SETTLED_EVERY_MS,
      busyFrom = BUSY_FROM
    } = options;
    const ledgers = new Map<string, BucketLedger>();
    function ledgerOf(bucket: string): BucketLedger {
      if (stryMutAct_9fa48("315")) {
        {}
      } else {
        stryCov_9fa48("315");
        const known = ledgers.get(bucket);
        if (stryMutAct_9fa48("318") ? known === undefined : stryMutAct_9fa48("317") ? false : stryMutAct_9fa48("316") ? true : (stryCov_9fa48("316", "317", "318"), known !== undefined)) return known;
        const made = new BucketLedger(commands, bucket, stryMutAct_9fa48("319") ? {} : (stryCov_9fa48("319"), {
          now,
          failed,
          busyFrom
        }));
        ledgers.set(bucket, made);
        return made;
      }
    }
    async function settleOne(bucket: string, ledger: BucketLedger, all: boolean): Promise<void> {
      if (stryMutAct_9fa48("320")) {
        {}
      } else {
        stryCov_9fa48("320");
        // A caller that waits for bytes of it finds it here. `isIdle` is read in the same tick as the ledger is deleted: a call may
        // have come after the last look of `settle`, and two settlings may end after each other.
        if (stryMutAct_9fa48("323") ? (await ledger.settle(all)) && ledger.isIdle || ledgers.get(bucket) === ledger : stryMutAct_9fa48("322") ? false : stryMutAct_9fa48("321") ? true : (stryCov_9fa48("321", "322", "323"), (stryMutAct_9fa48("325") ? (await ledger.settle(all)) || ledger.isIdle : stryMutAct_9fa48("324") ? true : (stryCov_9fa48("324", "325"), (await ledger.settle(all)) && ledger.isIdle)) && (stryMutAct_9fa48("327") ? ledgers.get(bucket) !== ledger : stryMutAct_9fa48("326") ? true : (stryCov_9fa48("326", "327"), ledgers.get(bucket) === ledger)))) ledgers.delete(bucket);
      }
    }
    async function settle(all = stryMutAct_9fa48("328") ? true : (stryCov_9fa48("328"), false)): Promise<void> {
      if (stryMutAct_9fa48("329")) {
        {}
      } else {
        stryCov_9fa48("329");
        await Promise.all((stryMutAct_9fa48("330") ? [] : (stryCov_9fa48("330"), [...ledgers])).map(stryMutAct_9fa48("331") ? () => undefined : (stryCov_9fa48("331"), ([bucket, ledger]) => settleOne(bucket, ledger, all).catch(failed))));
      }
    }
    const timer = setInterval(stryMutAct_9fa48("332") ? () => undefined : (stryCov_9fa48("332"), () => void settle()), everyMs);
    timer.unref();
    return stryMutAct_9fa48("333") ? {} : (stryCov_9fa48("333"), {
      sending: stryMutAct_9fa48("334") ? () => undefined : (stryCov_9fa48("334"), (bucket, download, bytes) => ledgerOf(bucket).sending(download, bytes)),
      settle,
      giveBack: stryMutAct_9fa48("335") ? () => undefined : (stryCov_9fa48("335"), async bucket => stryMutAct_9fa48("336") ? (await ledgers.get(bucket)?.giveBack()) && false : (stryCov_9fa48("336"), (await (stryMutAct_9fa48("337") ? ledgers.get(bucket).giveBack() : (stryCov_9fa48("337"), ledgers.get(bucket)?.giveBack()))) ?? (stryMutAct_9fa48("338") ? true : (stryCov_9fa48("338"), false)))),
      async close() {
        if (stryMutAct_9fa48("339")) {
          {}
        } else {
          stryCov_9fa48("339");
          clearInterval(timer);
          await settle(stryMutAct_9fa48("340") ? false : (stryCov_9fa48("340"), true));
        }
      }
    });
  }
}