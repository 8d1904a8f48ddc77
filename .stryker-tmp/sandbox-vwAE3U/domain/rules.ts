// The seven rules of a folder and who they admit. Pure, and the only place that decides it: commands, queries, routes
// and the tenant's `explain` all ask here.
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
import { Refusal } from './decider.ts';
export const RULES = ['list_folders', 'list_files', 'mkdir', 'create', 'read', 'overwrite', 'delete'] as const;
export type Rule = (typeof RULES)[number];

/**
 * `creator`: of the folder for the first four rules, of the file for the last three; never a caller without a player.
 */
export const LEVELS = ['nobody', 'creator', 'player', 'anyone'] as const;
export type Level = (typeof LEVELS)[number];

/** A type, not an interface: it is stored as it is. */
export type FolderRules = { readonly [R in Rule]: Level };

/** What a new bucket's root begins with. */
export const ROOT_RULES: FolderRules = stryMutAct_9fa48("4375") ? {} : (stryCov_9fa48("4375"), {
  list_folders: stryMutAct_9fa48("4376") ? "" : (stryCov_9fa48("4376"), 'anyone'),
  list_files: stryMutAct_9fa48("4377") ? "" : (stryCov_9fa48("4377"), 'creator'),
  mkdir: stryMutAct_9fa48("4378") ? "" : (stryCov_9fa48("4378"), 'nobody'),
  create: stryMutAct_9fa48("4379") ? "" : (stryCov_9fa48("4379"), 'nobody'),
  read: stryMutAct_9fa48("4380") ? "" : (stryCov_9fa48("4380"), 'anyone'),
  overwrite: stryMutAct_9fa48("4381") ? "" : (stryCov_9fa48("4381"), 'creator'),
  delete: stryMutAct_9fa48("4382") ? "" : (stryCov_9fa48("4382"), 'creator')
});

/** Rules about a file inside, which is what their creator is the creator of. */
const OF_FILES: readonly Rule[] = stryMutAct_9fa48("4383") ? [] : (stryCov_9fa48("4383"), [stryMutAct_9fa48("4384") ? "" : (stryCov_9fa48("4384"), 'read'), stryMutAct_9fa48("4385") ? "" : (stryCov_9fa48("4385"), 'overwrite'), stryMutAct_9fa48("4386") ? "" : (stryCov_9fa48("4386"), 'delete')]);

/** Who wants to do something: whether they hold the bucket's admin action, and the player signed in. */
export interface Visitor {
  readonly isAdmin: boolean;
  readonly player: string | null;
}
type Why = 'admin' | 'anyone' | 'player' | 'creator' | 'nobody' | 'no_player' | 'not_creator';
interface Verdict {
  readonly isAdmitted: boolean;
  readonly why: Why;
}

/** `creator` is the one that the rule's level `creator` means. */
export function judge(level: Level, visitor: Visitor, creator: string | null): Verdict {
  if (stryMutAct_9fa48("4387")) {
    {}
  } else {
    stryCov_9fa48("4387");
    if (stryMutAct_9fa48("4389") ? false : stryMutAct_9fa48("4388") ? true : (stryCov_9fa48("4388", "4389"), visitor.isAdmin)) return stryMutAct_9fa48("4390") ? {} : (stryCov_9fa48("4390"), {
      isAdmitted: stryMutAct_9fa48("4391") ? false : (stryCov_9fa48("4391"), true),
      why: stryMutAct_9fa48("4392") ? "" : (stryCov_9fa48("4392"), 'admin')
    });
    if (stryMutAct_9fa48("4395") ? level !== 'anyone' : stryMutAct_9fa48("4394") ? false : stryMutAct_9fa48("4393") ? true : (stryCov_9fa48("4393", "4394", "4395"), level === (stryMutAct_9fa48("4396") ? "" : (stryCov_9fa48("4396"), 'anyone')))) return stryMutAct_9fa48("4397") ? {} : (stryCov_9fa48("4397"), {
      isAdmitted: stryMutAct_9fa48("4398") ? false : (stryCov_9fa48("4398"), true),
      why: stryMutAct_9fa48("4399") ? "" : (stryCov_9fa48("4399"), 'anyone')
    });
    if (stryMutAct_9fa48("4402") ? level !== 'nobody' : stryMutAct_9fa48("4401") ? false : stryMutAct_9fa48("4400") ? true : (stryCov_9fa48("4400", "4401", "4402"), level === (stryMutAct_9fa48("4403") ? "" : (stryCov_9fa48("4403"), 'nobody')))) return stryMutAct_9fa48("4404") ? {} : (stryCov_9fa48("4404"), {
      isAdmitted: stryMutAct_9fa48("4405") ? true : (stryCov_9fa48("4405"), false),
      why: stryMutAct_9fa48("4406") ? "" : (stryCov_9fa48("4406"), 'nobody')
    });
    if (stryMutAct_9fa48("4409") ? visitor.player !== null : stryMutAct_9fa48("4408") ? false : stryMutAct_9fa48("4407") ? true : (stryCov_9fa48("4407", "4408", "4409"), visitor.player === null)) return stryMutAct_9fa48("4410") ? {} : (stryCov_9fa48("4410"), {
      isAdmitted: stryMutAct_9fa48("4411") ? true : (stryCov_9fa48("4411"), false),
      why: stryMutAct_9fa48("4412") ? "" : (stryCov_9fa48("4412"), 'no_player')
    });
    if (stryMutAct_9fa48("4415") ? level !== 'player' : stryMutAct_9fa48("4414") ? false : stryMutAct_9fa48("4413") ? true : (stryCov_9fa48("4413", "4414", "4415"), level === (stryMutAct_9fa48("4416") ? "" : (stryCov_9fa48("4416"), 'player')))) return stryMutAct_9fa48("4417") ? {} : (stryCov_9fa48("4417"), {
      isAdmitted: stryMutAct_9fa48("4418") ? false : (stryCov_9fa48("4418"), true),
      why: stryMutAct_9fa48("4419") ? "" : (stryCov_9fa48("4419"), 'player')
    });
    return (stryMutAct_9fa48("4422") ? visitor.player !== creator : stryMutAct_9fa48("4421") ? false : stryMutAct_9fa48("4420") ? true : (stryCov_9fa48("4420", "4421", "4422"), visitor.player === creator)) ? stryMutAct_9fa48("4423") ? {} : (stryCov_9fa48("4423"), {
      isAdmitted: stryMutAct_9fa48("4424") ? false : (stryCov_9fa48("4424"), true),
      why: stryMutAct_9fa48("4425") ? "" : (stryCov_9fa48("4425"), 'creator')
    }) : stryMutAct_9fa48("4426") ? {} : (stryCov_9fa48("4426"), {
      isAdmitted: stryMutAct_9fa48("4427") ? true : (stryCov_9fa48("4427"), false),
      why: stryMutAct_9fa48("4428") ? "" : (stryCov_9fa48("4428"), 'not_creator')
    });
  }
}
export function admits(level: Level, visitor: Visitor, creator: string | null): boolean {
  if (stryMutAct_9fa48("4429")) {
    {}
  } else {
    stryCov_9fa48("4429");
    return judge(level, visitor, creator).isAdmitted;
  }
}

/** Why, as people read it. */
export const WHY_TEXT: Readonly<Record<Why, string>> = stryMutAct_9fa48("4430") ? {} : (stryCov_9fa48("4430"), {
  admin: stryMutAct_9fa48("4431") ? "" : (stryCov_9fa48("4431"), 'the token holds the bucket’s admin action, which passes every rule'),
  anyone: stryMutAct_9fa48("4432") ? "" : (stryCov_9fa48("4432"), 'the rule admits any token with the bucket’s files permission'),
  player: stryMutAct_9fa48("4433") ? "" : (stryCov_9fa48("4433"), 'the rule admits any signed-in player'),
  creator: stryMutAct_9fa48("4434") ? "" : (stryCov_9fa48("4434"), 'the rule admits the creator, who this player is'),
  nobody: stryMutAct_9fa48("4435") ? "" : (stryCov_9fa48("4435"), 'the rule admits nobody'),
  no_player: stryMutAct_9fa48("4436") ? "" : (stryCov_9fa48("4436"), 'the rule asks for a player, and none is signed in'),
  not_creator: stryMutAct_9fa48("4437") ? "" : (stryCov_9fa48("4437"), 'the rule admits only the creator, who this player is not')
});

/** A folder as far as its rules go. */
interface Ruled {
  readonly rules: FolderRules;
  readonly creator: string | null;
}

/** Which files a list shows: all, those that the visitor made, or null: no list at all. */
export function filesShown({
  rules,
  creator
}: Ruled, visitor: Visitor): 'all' | 'own' | null {
  if (stryMutAct_9fa48("4438")) {
    {}
  } else {
    stryCov_9fa48("4438");
    if (stryMutAct_9fa48("4440") ? false : stryMutAct_9fa48("4439") ? true : (stryCov_9fa48("4439", "4440"), admits(rules.list_files, visitor, creator))) return stryMutAct_9fa48("4441") ? "" : (stryCov_9fa48("4441"), 'all');
    if (stryMutAct_9fa48("4444") ? rules.list_files !== 'creator' && visitor.player === null : stryMutAct_9fa48("4443") ? false : stryMutAct_9fa48("4442") ? true : (stryCov_9fa48("4442", "4443", "4444"), (stryMutAct_9fa48("4446") ? rules.list_files === 'creator' : stryMutAct_9fa48("4445") ? false : (stryCov_9fa48("4445", "4446"), rules.list_files !== (stryMutAct_9fa48("4447") ? "" : (stryCov_9fa48("4447"), 'creator')))) || (stryMutAct_9fa48("4449") ? visitor.player !== null : stryMutAct_9fa48("4448") ? false : (stryCov_9fa48("4448", "4449"), visitor.player === null)))) return null;
    return admits(rules.create, visitor, creator) ? stryMutAct_9fa48("4450") ? "" : (stryCov_9fa48("4450"), 'own') : null;
  }
}

/**
 * Whether any rule admits the visitor to anything in the folder. `hasOwnFiles`: whether they made a file that is in it.
 */
export function isOpenTo({
  rules,
  creator
}: Ruled, visitor: Visitor, hasOwnFiles: boolean): boolean {
  if (stryMutAct_9fa48("4451")) {
    {}
  } else {
    stryCov_9fa48("4451");
    return stryMutAct_9fa48("4452") ? RULES.every(rule => {
      if (!OF_FILES.includes(rule)) return admits(rules[rule], visitor, creator);
      return admits(rules[rule], visitor, hasOwnFiles ? visitor.player : null);
    }) : (stryCov_9fa48("4452"), RULES.some(rule => {
      if (stryMutAct_9fa48("4453")) {
        {}
      } else {
        stryCov_9fa48("4453");
        if (stryMutAct_9fa48("4456") ? false : stryMutAct_9fa48("4455") ? true : stryMutAct_9fa48("4454") ? OF_FILES.includes(rule) : (stryCov_9fa48("4454", "4455", "4456"), !OF_FILES.includes(rule))) return admits(rules[rule], visitor, creator);
        return admits(rules[rule], visitor, hasOwnFiles ? visitor.player : null);
      }
    }));
  }
}

/** What a folder made inside begins with. */
export function rulesForNew({
  rules,
  childRules
}: {
  rules: FolderRules;
  childRules: FolderRules | null;
}): FolderRules {
  if (stryMutAct_9fa48("4457")) {
    {}
  } else {
    stryCov_9fa48("4457");
    return stryMutAct_9fa48("4458") ? childRules && rules : (stryCov_9fa48("4458"), childRules ?? rules);
  }
}

/** One answer for what is not there and for what the caller may not touch: the caller is not told which. */
export function nothingThere(): Refusal {
  if (stryMutAct_9fa48("4459")) {
    {}
  } else {
    stryCov_9fa48("4459");
    return new Refusal(stryMutAct_9fa48("4460") ? "" : (stryCov_9fa48("4460"), 'not_found'), stryMutAct_9fa48("4461") ? "" : (stryCov_9fa48("4461"), 'not_found'), stryMutAct_9fa48("4462") ? "" : (stryCov_9fa48("4462"), 'There is nothing here, or nothing for this caller.'));
  }
}