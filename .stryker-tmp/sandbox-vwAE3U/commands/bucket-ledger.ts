// What one node counted of one bucket's downloads: bytes counted ahead and not handed out yet, and bytes handed out and not
// recorded yet.
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
import { randomIds } from '../credentials/command-ids.ts';
import { monthOf } from '../domain/quota.ts';
import type { CommandDeps } from './command-deps.ts';
import { cutOff, isUsedUp, sending, sent } from './download.ts';
export const AHEAD_MOST_BYTES = stryMutAct_9fa48("72") ? 64 / 1_048_576 : (stryCov_9fa48("72"), 64 * 1_048_576);
/** Downloads that are recorded together. */
const USED_MOST = 1_000;
export interface LedgerOptions {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Called where what was counted ahead cannot be given back, or what was handed out cannot be recorded. */
  readonly failed: (error: unknown) => void;
  /** Calls within two settlings from which on a bucket is busy, and bytes are counted ahead. */
  readonly busyFrom: number;
}

/** Records how many of the bytes were not sent. Once only. */
type ReportUnsent = (unsent: number) => Promise<void>;
export class BucketLedger {
  readonly #commands: CommandDeps;
  readonly #bucket: string;
  readonly #options: LedgerOptions;
  /** Bytes counted ahead and not handed out, in this month. */
  #ahead = stryMutAct_9fa48("73") ? {} : (stryCov_9fa48("73"), {
    bytes: 0,
    month: stryMutAct_9fa48("74") ? "Stryker was here!" : (stryCov_9fa48("74"), '')
  });
  /** Bytes handed out and not recorded yet, by download. */
  #used = new Map<string, number>();
  /** Bytes and calls since the last settling, and between that and the one before. */
  #asked = stryMutAct_9fa48("75") ? {} : (stryCov_9fa48("75"), {
    bytes: 0,
    bytesBefore: 0,
    calls: 0,
    callsBefore: 0
  });
  /** While more is counted ahead. */
  #taking: Promise<unknown> | null = null;
  /** While what is ahead is given back. */
  #givingBack: Promise<boolean> | null = null;
  constructor(commands: CommandDeps, bucket: string, options: LedgerOptions) {
    if (stryMutAct_9fa48("76")) {
      {}
    } else {
      stryCov_9fa48("76");
      this.#commands = commands;
      this.#bucket = bucket;
      this.#options = options;
    }
  }

  /** As `Meter.sending`. */
  async sending(download: string, bytes: number): Promise<ReportUnsent> {
    if (stryMutAct_9fa48("77")) {
      {}
    } else {
      stryCov_9fa48("77");
      stryMutAct_9fa48("78") ? this.#asked.bytes -= bytes : (stryCov_9fa48("78"), this.#asked.bytes += bytes);
      stryMutAct_9fa48("79") ? this.#asked.calls-- : (stryCov_9fa48("79"), this.#asked.calls++);
      // More is counted by one caller at a time; where it was not enough for all who waited, each counts their own.
      if (stryMutAct_9fa48("82") ? false : stryMutAct_9fa48("81") ? true : stryMutAct_9fa48("80") ? this.#handOut(download, bytes) : (stryCov_9fa48("80", "81", "82"), !this.#handOut(download, bytes))) {
        if (stryMutAct_9fa48("83")) {
          {}
        } else {
          stryCov_9fa48("83");
          if (stryMutAct_9fa48("86") ? this.#taking !== null : stryMutAct_9fa48("85") ? false : stryMutAct_9fa48("84") ? true : (stryCov_9fa48("84", "85", "86"), this.#taking === null)) return this.#count(download, bytes);
          await this.#taking;
          if (stryMutAct_9fa48("89") ? false : stryMutAct_9fa48("88") ? true : stryMutAct_9fa48("87") ? this.#handOut(download, bytes) : (stryCov_9fa48("87", "88", "89"), !this.#handOut(download, bytes))) return this.#count(download, bytes);
        }
      }
      return this.#takeBack(download, this.#ahead.month);
    }
  }

  /** Gives back all that is ahead, and records what was handed out. Calls that come meanwhile wait for the same. */
  giveBack(): Promise<boolean> {
    if (stryMutAct_9fa48("90")) {
      {}
    } else {
      stryCov_9fa48("90");
      stryMutAct_9fa48("91") ? this.#givingBack &&= this.#empty().finally(() => {
        this.#givingBack = null;
      }) : (stryCov_9fa48("91"), this.#givingBack ??= this.#empty().finally(() => {
        if (stryMutAct_9fa48("92")) {
          {}
        } else {
          stryCov_9fa48("92");
          this.#givingBack = null;
        }
      }));
      return this.#givingBack;
    }
  }

  /**
   * Records what was handed out, and gives back what is ahead where no call came since the last settling, or where `all`. True
   * where nothing was left: if `isIdle` is still true, the ledger is needed no more.
   */
  async settle(all: boolean): Promise<boolean> {
    if (stryMutAct_9fa48("93")) {
      {}
    } else {
      stryCov_9fa48("93");
      const {
        bytes,
        calls
      } = this.#asked;
      const isAtRest = stryMutAct_9fa48("96") ? all && bytes === 0 : stryMutAct_9fa48("95") ? false : stryMutAct_9fa48("94") ? true : (stryCov_9fa48("94", "95", "96"), all || (stryMutAct_9fa48("98") ? bytes !== 0 : stryMutAct_9fa48("97") ? false : (stryCov_9fa48("97", "98"), bytes === 0)));
      this.#asked = stryMutAct_9fa48("99") ? {} : (stryCov_9fa48("99"), {
        bytes: 0,
        bytesBefore: bytes,
        calls: 0,
        callsBefore: calls
      });
      if (stryMutAct_9fa48("101") ? false : stryMutAct_9fa48("100") ? true : (stryCov_9fa48("100", "101"), isAtRest)) await this.#empty();else await this.#recordUsed();
      return stryMutAct_9fa48("104") ? isAtRest || this.isIdle : stryMutAct_9fa48("103") ? false : stryMutAct_9fa48("102") ? true : (stryCov_9fa48("102", "103", "104"), isAtRest && this.isIdle);
    }
  }

  /** Nothing is ahead or being taken, and no bytes were asked for since the settling before the last. */
  get isIdle(): boolean {
    if (stryMutAct_9fa48("105")) {
      {}
    } else {
      stryCov_9fa48("105");
      const {
        bytes,
        bytesBefore
      } = this.#asked;
      return stryMutAct_9fa48("108") ? this.#ahead.bytes === 0 && bytes + bytesBefore === 0 || this.#taking === null : stryMutAct_9fa48("107") ? false : stryMutAct_9fa48("106") ? true : (stryCov_9fa48("106", "107", "108"), (stryMutAct_9fa48("110") ? this.#ahead.bytes === 0 || bytes + bytesBefore === 0 : stryMutAct_9fa48("109") ? true : (stryCov_9fa48("109", "110"), (stryMutAct_9fa48("112") ? this.#ahead.bytes !== 0 : stryMutAct_9fa48("111") ? true : (stryCov_9fa48("111", "112"), this.#ahead.bytes === 0)) && (stryMutAct_9fa48("114") ? bytes + bytesBefore !== 0 : stryMutAct_9fa48("113") ? true : (stryCov_9fa48("113", "114"), (stryMutAct_9fa48("115") ? bytes - bytesBefore : (stryCov_9fa48("115"), bytes + bytesBefore)) === 0)))) && (stryMutAct_9fa48("117") ? this.#taking !== null : stryMutAct_9fa48("116") ? true : (stryCov_9fa48("116", "117"), this.#taking === null)));
    }
  }
  #handOut(download: string, bytes: number): boolean {
    if (stryMutAct_9fa48("118")) {
      {}
    } else {
      stryCov_9fa48("118");
      const ahead = this.#ahead;
      if (stryMutAct_9fa48("121") ? ahead.bytes < bytes && ahead.month !== monthOf(this.#options.now()) : stryMutAct_9fa48("120") ? false : stryMutAct_9fa48("119") ? true : (stryCov_9fa48("119", "120", "121"), (stryMutAct_9fa48("124") ? ahead.bytes >= bytes : stryMutAct_9fa48("123") ? ahead.bytes <= bytes : stryMutAct_9fa48("122") ? false : (stryCov_9fa48("122", "123", "124"), ahead.bytes < bytes)) || (stryMutAct_9fa48("126") ? ahead.month === monthOf(this.#options.now()) : stryMutAct_9fa48("125") ? false : (stryCov_9fa48("125", "126"), ahead.month !== monthOf(this.#options.now()))))) return stryMutAct_9fa48("127") ? true : (stryCov_9fa48("127"), false);
      stryMutAct_9fa48("128") ? ahead.bytes += bytes : (stryCov_9fa48("128"), ahead.bytes -= bytes);
      this.#used.set(download, stryMutAct_9fa48("129") ? (this.#used.get(download) ?? 0) - bytes : (stryCov_9fa48("129"), (stryMutAct_9fa48("130") ? this.#used.get(download) && 0 : (stryCov_9fa48("130"), this.#used.get(download) ?? 0)) + bytes));
      if (stryMutAct_9fa48("134") ? this.#used.size < USED_MOST : stryMutAct_9fa48("133") ? this.#used.size > USED_MOST : stryMutAct_9fa48("132") ? false : stryMutAct_9fa48("131") ? true : (stryCov_9fa48("131", "132", "133", "134"), this.#used.size >= USED_MOST)) void this.#recordUsed().catch(this.#options.failed);
      return stryMutAct_9fa48("135") ? false : (stryCov_9fa48("135"), true);
    }
  }

  /** Unsent bytes count as ahead again, as long as they are not recorded as handed out. */
  #takeBack(download: string, month: string): ReportUnsent {
    if (stryMutAct_9fa48("136")) {
      {}
    } else {
      stryCov_9fa48("136");
      return async unsent => {
        if (stryMutAct_9fa48("137")) {
          {}
        } else {
          stryCov_9fa48("137");
          const handed = stryMutAct_9fa48("138") ? this.#used.get(download) && 0 : (stryCov_9fa48("138"), this.#used.get(download) ?? 0);
          if (stryMutAct_9fa48("141") ? handed < unsent && this.#ahead.month !== month : stryMutAct_9fa48("140") ? false : stryMutAct_9fa48("139") ? true : (stryCov_9fa48("139", "140", "141"), (stryMutAct_9fa48("144") ? handed >= unsent : stryMutAct_9fa48("143") ? handed <= unsent : stryMutAct_9fa48("142") ? false : (stryCov_9fa48("142", "143", "144"), handed < unsent)) || (stryMutAct_9fa48("146") ? this.#ahead.month === month : stryMutAct_9fa48("145") ? false : (stryCov_9fa48("145", "146"), this.#ahead.month !== month)))) return this.#cut(download, unsent, month);
          this.#used.set(download, stryMutAct_9fa48("147") ? handed + unsent : (stryCov_9fa48("147"), handed - unsent));
          stryMutAct_9fa48("148") ? this.#ahead.bytes -= unsent : (stryCov_9fa48("148"), this.#ahead.bytes += unsent);
        }
      };
    }
  }
  async #count(download: string, bytes: number): Promise<ReportUnsent> {
    if (stryMutAct_9fa48("149")) {
      {}
    } else {
      stryCov_9fa48("149");
      const asked = this.#asked;
      const others = stryMutAct_9fa48("150") ? asked.bytes + asked.bytesBefore + bytes : (stryCov_9fa48("150"), (stryMutAct_9fa48("151") ? asked.bytes - asked.bytesBefore : (stryCov_9fa48("151"), asked.bytes + asked.bytesBefore)) - bytes);
      const isBusy = stryMutAct_9fa48("155") ? asked.calls + asked.callsBefore < this.#options.busyFrom : stryMutAct_9fa48("154") ? asked.calls + asked.callsBefore > this.#options.busyFrom : stryMutAct_9fa48("153") ? false : stryMutAct_9fa48("152") ? true : (stryCov_9fa48("152", "153", "154", "155"), (stryMutAct_9fa48("156") ? asked.calls - asked.callsBefore : (stryCov_9fa48("156"), asked.calls + asked.callsBefore)) >= this.#options.busyFrom);
      const room = stryMutAct_9fa48("157") ? AHEAD_MOST_BYTES + this.#ahead.bytes : (stryCov_9fa48("157"), AHEAD_MOST_BYTES - this.#ahead.bytes);
      const ahead = (stryMutAct_9fa48("160") ? isBusy || this.#taking === null : stryMutAct_9fa48("159") ? false : stryMutAct_9fa48("158") ? true : (stryCov_9fa48("158", "159", "160"), isBusy && (stryMutAct_9fa48("162") ? this.#taking !== null : stryMutAct_9fa48("161") ? true : (stryCov_9fa48("161", "162"), this.#taking === null)))) ? stryMutAct_9fa48("163") ? Math.min(0, Math.min(others, room)) : (stryCov_9fa48("163"), Math.max(0, stryMutAct_9fa48("164") ? Math.max(others, room) : (stryCov_9fa48("164"), Math.min(others, room)))) : 0;
      const taking = this.#counting(stryMutAct_9fa48("165") ? {} : (stryCov_9fa48("165"), {
        download,
        bytes,
        ahead
      }));
      if (stryMutAct_9fa48("169") ? ahead <= 0 : stryMutAct_9fa48("168") ? ahead >= 0 : stryMutAct_9fa48("167") ? false : stryMutAct_9fa48("166") ? true : (stryCov_9fa48("166", "167", "168", "169"), ahead > 0)) this.#taking = taking.catch(() => {});
      try {
        if (stryMutAct_9fa48("170")) {
          {}
        } else {
          stryCov_9fa48("170");
          const {
            month,
            ahead: further
          } = await taking;
          if (stryMutAct_9fa48("174") ? further <= 0 : stryMutAct_9fa48("173") ? further >= 0 : stryMutAct_9fa48("172") ? false : stryMutAct_9fa48("171") ? true : (stryCov_9fa48("171", "172", "173", "174"), further > 0)) await this.#add(further, month);
          return stryMutAct_9fa48("175") ? () => undefined : (stryCov_9fa48("175"), unsent => this.#cut(download, unsent, month));
        }
      } finally {
        if (stryMutAct_9fa48("176")) {
          {}
        } else {
          stryCov_9fa48("176");
          if (stryMutAct_9fa48("180") ? ahead <= 0 : stryMutAct_9fa48("179") ? ahead >= 0 : stryMutAct_9fa48("178") ? false : stryMutAct_9fa48("177") ? true : (stryCov_9fa48("177", "178", "179", "180"), ahead > 0)) this.#taking = null;
        }
      }
    }
  }
  async #counting(wanted: Parameters<typeof sending>[2]) {
    if (stryMutAct_9fa48("181")) {
      {}
    } else {
      stryCov_9fa48("181");
      try {
        if (stryMutAct_9fa48("182")) {
          {}
        } else {
          stryCov_9fa48("182");
          return await sending(this.#commands, this.#bucket, wanted, this.#context());
        }
      } catch (error) {
        if (stryMutAct_9fa48("183")) {
          {}
        } else {
          stryCov_9fa48("183");
          // What was counted ahead here must not refuse anybody.
          if (stryMutAct_9fa48("186") ? !isUsedUp(error) && !(await this.giveBack()) : stryMutAct_9fa48("185") ? false : stryMutAct_9fa48("184") ? true : (stryCov_9fa48("184", "185", "186"), (stryMutAct_9fa48("187") ? isUsedUp(error) : (stryCov_9fa48("187"), !isUsedUp(error))) || (stryMutAct_9fa48("188") ? await this.giveBack() : (stryCov_9fa48("188"), !(await this.giveBack()))))) throw error;
          return sending(this.#commands, this.#bucket, wanted, this.#context());
        }
      }
    }
  }
  async #add(bytes: number, month: string): Promise<void> {
    if (stryMutAct_9fa48("189")) {
      {}
    } else {
      stryCov_9fa48("189");
      const before = this.#ahead;
      if (stryMutAct_9fa48("192") ? before.month !== month : stryMutAct_9fa48("191") ? false : stryMutAct_9fa48("190") ? true : (stryCov_9fa48("190", "191", "192"), before.month === month)) {
        if (stryMutAct_9fa48("193")) {
          {}
        } else {
          stryCov_9fa48("193");
          stryMutAct_9fa48("194") ? before.bytes -= bytes : (stryCov_9fa48("194"), before.bytes += bytes);
          return;
        }
      }
      this.#ahead = stryMutAct_9fa48("195") ? {} : (stryCov_9fa48("195"), {
        bytes,
        month
      });
      if (stryMutAct_9fa48("199") ? before.bytes <= 0 : stryMutAct_9fa48("198") ? before.bytes >= 0 : stryMutAct_9fa48("197") ? false : stryMutAct_9fa48("196") ? true : (stryCov_9fa48("196", "197", "198", "199"), before.bytes > 0)) await this.#cut(null, before.bytes, before.month).catch(this.#options.failed);
    }
  }
  async #recordUsed(): Promise<void> {
    if (stryMutAct_9fa48("200")) {
      {}
    } else {
      stryCov_9fa48("200");
      const used = this.#used;
      if (stryMutAct_9fa48("203") ? used.size !== 0 : stryMutAct_9fa48("202") ? false : stryMutAct_9fa48("201") ? true : (stryCov_9fa48("201", "202", "203"), used.size === 0)) return;
      this.#used = new Map();
      await sent(this.#commands, this.#bucket, used, this.#context());
    }
  }

  /** One of the two may fail: the other is done nevertheless. */
  async #empty(): Promise<boolean> {
    if (stryMutAct_9fa48("204")) {
      {}
    } else {
      stryCov_9fa48("204");
      const {
        bytes,
        month
      } = this.#ahead;
      const used = this.#used;
      this.#ahead.bytes = 0;
      await Promise.all(stryMutAct_9fa48("205") ? [] : (stryCov_9fa48("205"), [this.#recordUsed(), stryMutAct_9fa48("208") ? bytes > 0 || this.#cut(null, bytes, month) : stryMutAct_9fa48("207") ? false : stryMutAct_9fa48("206") ? true : (stryCov_9fa48("206", "207", "208"), (stryMutAct_9fa48("211") ? bytes <= 0 : stryMutAct_9fa48("210") ? bytes >= 0 : stryMutAct_9fa48("209") ? true : (stryCov_9fa48("209", "210", "211"), bytes > 0)) && this.#cut(null, bytes, month))]));
      return stryMutAct_9fa48("214") ? bytes > 0 && used.size > 0 : stryMutAct_9fa48("213") ? false : stryMutAct_9fa48("212") ? true : (stryCov_9fa48("212", "213", "214"), (stryMutAct_9fa48("217") ? bytes <= 0 : stryMutAct_9fa48("216") ? bytes >= 0 : stryMutAct_9fa48("215") ? false : (stryCov_9fa48("215", "216", "217"), bytes > 0)) || (stryMutAct_9fa48("220") ? used.size <= 0 : stryMutAct_9fa48("219") ? used.size >= 0 : stryMutAct_9fa48("218") ? false : (stryCov_9fa48("218", "219", "220"), used.size > 0)));
    }
  }
  #cut(download: string | null, bytes: number, month: string): Promise<void> {
    if (stryMutAct_9fa48("221")) {
      {}
    } else {
      stryCov_9fa48("221");
      return cutOff(this.#commands, this.#bucket, stryMutAct_9fa48("222") ? {} : (stryCov_9fa48("222"), {
        download,
        bytes,
        month
      }), this.#context());
    }
  }
  #context() {
    if (stryMutAct_9fa48("223")) {
      {}
    } else {
      stryCov_9fa48("223");
      const nowMs = this.#options.now();
      return stryMutAct_9fa48("224") ? {} : (stryCov_9fa48("224"), {
        ...randomIds(),
        call: null,
        repeated: stryMutAct_9fa48("225") ? true : (stryCov_9fa48("225"), false),
        actor: null,
        request: null,
        nowMs
      });
    }
  }
}