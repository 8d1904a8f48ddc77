// What uploads may take of a bucket, and what deletions give back: decisions on its quota. Those on downloads are in
// allowance.ts.
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
import type { BucketLimits } from './bucket.ts';
import type { Decision } from './decider.ts';
import { Refusal } from './decider.ts';
import { givenBack, type QuotaEvent } from './quota.ts';
import type { Quota, Share } from './quota-state.ts';

/**
 * Reserves room for an upload, unless it has it, or became a file before. 422 `file_too_large`, 422 `quota_exceeded`
 * with the limit's name in `limit`.
 */
export function beginUpload(fresh: Share & {
  readonly upload: string;
  readonly size: number;
  readonly expires: string;
}, limits: BucketLimits): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("4223")) {
    {}
  } else {
    stryCov_9fa48("4223");
    return state => {
      if (stryMutAct_9fa48("4224")) {
        {}
      } else {
        stryCov_9fa48("4224");
        const {
          upload,
          size,
          owner,
          bytes,
          files,
          expires
        } = fresh;
        if (stryMutAct_9fa48("4227") ? state.uploads.has(upload) && state.past.has(upload) : stryMutAct_9fa48("4226") ? false : stryMutAct_9fa48("4225") ? true : (stryCov_9fa48("4225", "4226", "4227"), state.uploads.has(upload) || state.past.has(upload))) return stryMutAct_9fa48("4228") ? ["Stryker was here"] : (stryCov_9fa48("4228"), []);
        checkSize(size, limits);
        checkRoom(state, stryMutAct_9fa48("4229") ? {} : (stryCov_9fa48("4229"), {
          owner,
          bytes,
          files
        }), limits);
        return stryMutAct_9fa48("4230") ? [] : (stryCov_9fa48("4230"), [stryMutAct_9fa48("4231") ? {} : (stryCov_9fa48("4231"), {
          type: stryMutAct_9fa48("4232") ? "" : (stryCov_9fa48("4232"), 'UploadBegun'),
          data: stryMutAct_9fa48("4233") ? {} : (stryCov_9fa48("4233"), {
            upload,
            owner,
            bytes,
            files,
            expires
          })
        })]);
      }
    };
  }
}

/** Holds room for what the upload will really take, by the limits in force now. The refusals of `beginUpload`. */
export function confirmUpload(fresh: Share & {
  readonly upload: string;
  readonly size: number;
}, limits: BucketLimits): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("4234")) {
    {}
  } else {
    stryCov_9fa48("4234");
    return state => {
      if (stryMutAct_9fa48("4235")) {
        {}
      } else {
        stryCov_9fa48("4235");
        const {
          upload,
          size,
          owner,
          bytes,
          files
        } = fresh;
        const reserved = state.uploads.get(upload);
        // Settled already: there is nothing left to hold.
        if (stryMutAct_9fa48("4238") ? reserved !== undefined : stryMutAct_9fa48("4237") ? false : stryMutAct_9fa48("4236") ? true : (stryCov_9fa48("4236", "4237", "4238"), reserved === undefined)) return stryMutAct_9fa48("4239") ? ["Stryker was here"] : (stryCov_9fa48("4239"), []);
        checkSize(size, limits);
        checkRoom(givenBack(state, upload), stryMutAct_9fa48("4240") ? {} : (stryCov_9fa48("4240"), {
          owner,
          bytes,
          files
        }), limits);
        const isSame = stryMutAct_9fa48("4243") ? reserved.owner === owner && reserved.bytes === bytes || reserved.files === files : stryMutAct_9fa48("4242") ? false : stryMutAct_9fa48("4241") ? true : (stryCov_9fa48("4241", "4242", "4243"), (stryMutAct_9fa48("4245") ? reserved.owner === owner || reserved.bytes === bytes : stryMutAct_9fa48("4244") ? true : (stryCov_9fa48("4244", "4245"), (stryMutAct_9fa48("4247") ? reserved.owner !== owner : stryMutAct_9fa48("4246") ? true : (stryCov_9fa48("4246", "4247"), reserved.owner === owner)) && (stryMutAct_9fa48("4249") ? reserved.bytes !== bytes : stryMutAct_9fa48("4248") ? true : (stryCov_9fa48("4248", "4249"), reserved.bytes === bytes)))) && (stryMutAct_9fa48("4251") ? reserved.files !== files : stryMutAct_9fa48("4250") ? true : (stryCov_9fa48("4250", "4251"), reserved.files === files)));
        return isSame ? stryMutAct_9fa48("4252") ? ["Stryker was here"] : (stryCov_9fa48("4252"), []) : stryMutAct_9fa48("4253") ? [] : (stryCov_9fa48("4253"), [stryMutAct_9fa48("4254") ? {} : (stryCov_9fa48("4254"), {
          type: stryMutAct_9fa48("4255") ? "" : (stryCov_9fa48("4255"), 'UploadReassigned'),
          data: stryMutAct_9fa48("4256") ? {} : (stryCov_9fa48("4256"), {
            upload,
            owner,
            bytes,
            files
          })
        })]);
      }
    };
  }
}
export function settleUpload(upload: string, held: Share, freed: Share | null): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("4257")) {
    {}
  } else {
    stryCov_9fa48("4257");
    return stryMutAct_9fa48("4258") ? () => undefined : (stryCov_9fa48("4258"), state => state.uploads.has(upload) ? stryMutAct_9fa48("4259") ? [] : (stryCov_9fa48("4259"), [stryMutAct_9fa48("4260") ? {} : (stryCov_9fa48("4260"), {
      type: stryMutAct_9fa48("4261") ? "" : (stryCov_9fa48("4261"), 'UploadSettled'),
      data: stryMutAct_9fa48("4262") ? {} : (stryCov_9fa48("4262"), {
        upload,
        held,
        freed
      })
    })]) : stryMutAct_9fa48("4263") ? ["Stryker was here"] : (stryCov_9fa48("4263"), []));
  }
}
export function releaseUpload(upload: string): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("4264")) {
    {}
  } else {
    stryCov_9fa48("4264");
    return stryMutAct_9fa48("4265") ? () => undefined : (stryCov_9fa48("4265"), state => state.uploads.has(upload) ? stryMutAct_9fa48("4266") ? [] : (stryCov_9fa48("4266"), [stryMutAct_9fa48("4267") ? {} : (stryCov_9fa48("4267"), {
      type: stryMutAct_9fa48("4268") ? "" : (stryCov_9fa48("4268"), 'UploadReleased'),
      data: stryMutAct_9fa48("4269") ? {} : (stryCov_9fa48("4269"), {
        upload
      })
    })]) : stryMutAct_9fa48("4270") ? ["Stryker was here"] : (stryCov_9fa48("4270"), []));
  }
}
export function beginDeletions(deletions: readonly string[]): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("4271")) {
    {}
  } else {
    stryCov_9fa48("4271");
    return state => {
      if (stryMutAct_9fa48("4272")) {
        {}
      } else {
        stryCov_9fa48("4272");
        const fresh = stryMutAct_9fa48("4273") ? deletions : (stryCov_9fa48("4273"), deletions.filter(stryMutAct_9fa48("4274") ? () => undefined : (stryCov_9fa48("4274"), deletion => stryMutAct_9fa48("4277") ? !state.deletions.has(deletion) || !state.past.has(deletion) : stryMutAct_9fa48("4276") ? false : stryMutAct_9fa48("4275") ? true : (stryCov_9fa48("4275", "4276", "4277"), (stryMutAct_9fa48("4278") ? state.deletions.has(deletion) : (stryCov_9fa48("4278"), !state.deletions.has(deletion))) && (stryMutAct_9fa48("4279") ? state.past.has(deletion) : (stryCov_9fa48("4279"), !state.past.has(deletion)))))));
        return (stryMutAct_9fa48("4282") ? fresh.length !== 0 : stryMutAct_9fa48("4281") ? false : stryMutAct_9fa48("4280") ? true : (stryCov_9fa48("4280", "4281", "4282"), fresh.length === 0)) ? stryMutAct_9fa48("4283") ? ["Stryker was here"] : (stryCov_9fa48("4283"), []) : stryMutAct_9fa48("4284") ? [] : (stryCov_9fa48("4284"), [stryMutAct_9fa48("4285") ? {} : (stryCov_9fa48("4285"), {
          type: stryMutAct_9fa48("4286") ? "" : (stryCov_9fa48("4286"), 'DeletionsBegun'),
          data: stryMutAct_9fa48("4287") ? {} : (stryCov_9fa48("4287"), {
            deletions: fresh
          })
        })]);
      }
    };
  }
}

/** Frees what deleted files held, those whose deletion was begun here and not yet freed. */
export function freeFiles(files: readonly (Share & {
  readonly deletion: string;
})[]): Decision<Quota, QuotaEvent> {
  if (stryMutAct_9fa48("4288")) {
    {}
  } else {
    stryCov_9fa48("4288");
    return state => {
      if (stryMutAct_9fa48("4289")) {
        {}
      } else {
        stryCov_9fa48("4289");
        const due = stryMutAct_9fa48("4290") ? files : (stryCov_9fa48("4290"), files.filter(stryMutAct_9fa48("4291") ? () => undefined : (stryCov_9fa48("4291"), ({
          deletion
        }) => state.deletions.has(deletion))));
        return (stryMutAct_9fa48("4294") ? due.length !== 0 : stryMutAct_9fa48("4293") ? false : stryMutAct_9fa48("4292") ? true : (stryCov_9fa48("4292", "4293", "4294"), due.length === 0)) ? stryMutAct_9fa48("4295") ? ["Stryker was here"] : (stryCov_9fa48("4295"), []) : stryMutAct_9fa48("4296") ? [] : (stryCov_9fa48("4296"), [stryMutAct_9fa48("4297") ? {} : (stryCov_9fa48("4297"), {
          type: stryMutAct_9fa48("4298") ? "" : (stryCov_9fa48("4298"), 'FilesFreed'),
          data: stryMutAct_9fa48("4299") ? {} : (stryCov_9fa48("4299"), {
            files: due
          })
        })]);
      }
    };
  }
}

/** 422 `file_too_large`. `largestBytes` is what the file store takes at most, whatever the bucket allows. */
export function checkSizeOfStore(size: number, largestBytes: number): void {
  if (stryMutAct_9fa48("4300")) {
    {}
  } else {
    stryCov_9fa48("4300");
    if (stryMutAct_9fa48("4304") ? size > largestBytes : stryMutAct_9fa48("4303") ? size < largestBytes : stryMutAct_9fa48("4302") ? false : stryMutAct_9fa48("4301") ? true : (stryCov_9fa48("4301", "4302", "4303", "4304"), size <= largestBytes)) return;
    const detail = stryMutAct_9fa48("4305") ? `` : (stryCov_9fa48("4305"), `The file store takes files of at most ${largestBytes} bytes, and not of ${size}, whatever the bucket allows.`);
    throw new Refusal(stryMutAct_9fa48("4306") ? "" : (stryCov_9fa48("4306"), 'unprocessable'), stryMutAct_9fa48("4307") ? "" : (stryCov_9fa48("4307"), 'file_too_large'), detail, stryMutAct_9fa48("4308") ? {} : (stryCov_9fa48("4308"), {
      limit: stryMutAct_9fa48("4309") ? "" : (stryCov_9fa48("4309"), 'file_store')
    }));
  }
}

/** 422 `file_too_large`. */
export function checkSize(size: number, {
  maxFileBytes
}: BucketLimits): void {
  if (stryMutAct_9fa48("4310")) {
    {}
  } else {
    stryCov_9fa48("4310");
    if (stryMutAct_9fa48("4314") ? size > maxFileBytes : stryMutAct_9fa48("4313") ? size < maxFileBytes : stryMutAct_9fa48("4312") ? false : stryMutAct_9fa48("4311") ? true : (stryCov_9fa48("4311", "4312", "4313", "4314"), size <= maxFileBytes)) return;
    const detail = stryMutAct_9fa48("4315") ? `` : (stryCov_9fa48("4315"), `A file here may be ${maxFileBytes} bytes (the bucket’s max_file_bytes), and not ${size}.`);
    throw new Refusal(stryMutAct_9fa48("4316") ? "" : (stryCov_9fa48("4316"), 'unprocessable'), stryMutAct_9fa48("4317") ? "" : (stryCov_9fa48("4317"), 'file_too_large'), detail, stryMutAct_9fa48("4318") ? {} : (stryCov_9fa48("4318"), {
      limit: stryMutAct_9fa48("4319") ? "" : (stryCov_9fa48("4319"), 'max_file_bytes')
    }));
  }
}

/** What takes no more than before is let through even where a limit was lowered below what is held. */
function checkRoom(state: Quota, {
  owner,
  bytes,
  files
}: Share, limits: BucketLimits): void {
  if (stryMutAct_9fa48("4320")) {
    {}
  } else {
    stryCov_9fa48("4320");
    if (stryMutAct_9fa48("4323") ? bytes > 0 || state.bytes + bytes > limits.maxBytes : stryMutAct_9fa48("4322") ? false : stryMutAct_9fa48("4321") ? true : (stryCov_9fa48("4321", "4322", "4323"), (stryMutAct_9fa48("4326") ? bytes <= 0 : stryMutAct_9fa48("4325") ? bytes >= 0 : stryMutAct_9fa48("4324") ? true : (stryCov_9fa48("4324", "4325", "4326"), bytes > 0)) && (stryMutAct_9fa48("4329") ? state.bytes + bytes <= limits.maxBytes : stryMutAct_9fa48("4328") ? state.bytes + bytes >= limits.maxBytes : stryMutAct_9fa48("4327") ? true : (stryCov_9fa48("4327", "4328", "4329"), (stryMutAct_9fa48("4330") ? state.bytes - bytes : (stryCov_9fa48("4330"), state.bytes + bytes)) > limits.maxBytes)))) throw exceeded(stryMutAct_9fa48("4331") ? "" : (stryCov_9fa48("4331"), 'max_bytes'));
    if (stryMutAct_9fa48("4334") ? files > 0 || state.files + files > limits.maxFiles : stryMutAct_9fa48("4333") ? false : stryMutAct_9fa48("4332") ? true : (stryCov_9fa48("4332", "4333", "4334"), (stryMutAct_9fa48("4337") ? files <= 0 : stryMutAct_9fa48("4336") ? files >= 0 : stryMutAct_9fa48("4335") ? true : (stryCov_9fa48("4335", "4336", "4337"), files > 0)) && (stryMutAct_9fa48("4340") ? state.files + files <= limits.maxFiles : stryMutAct_9fa48("4339") ? state.files + files >= limits.maxFiles : stryMutAct_9fa48("4338") ? true : (stryCov_9fa48("4338", "4339", "4340"), (stryMutAct_9fa48("4341") ? state.files - files : (stryCov_9fa48("4341"), state.files + files)) > limits.maxFiles)))) throw exceeded(stryMutAct_9fa48("4342") ? "" : (stryCov_9fa48("4342"), 'max_files'));
    if (stryMutAct_9fa48("4345") ? owner !== null : stryMutAct_9fa48("4344") ? false : stryMutAct_9fa48("4343") ? true : (stryCov_9fa48("4343", "4344", "4345"), owner === null)) return;
    const held = stryMutAct_9fa48("4346") ? state.owners.get(owner) && {
      bytes: 0,
      files: 0
    } : (stryCov_9fa48("4346"), state.owners.get(owner) ?? (stryMutAct_9fa48("4347") ? {} : (stryCov_9fa48("4347"), {
      bytes: 0,
      files: 0
    })));
    if (stryMutAct_9fa48("4350") ? bytes > 0 || held.bytes + bytes > limits.playerMaxBytes : stryMutAct_9fa48("4349") ? false : stryMutAct_9fa48("4348") ? true : (stryCov_9fa48("4348", "4349", "4350"), (stryMutAct_9fa48("4353") ? bytes <= 0 : stryMutAct_9fa48("4352") ? bytes >= 0 : stryMutAct_9fa48("4351") ? true : (stryCov_9fa48("4351", "4352", "4353"), bytes > 0)) && (stryMutAct_9fa48("4356") ? held.bytes + bytes <= limits.playerMaxBytes : stryMutAct_9fa48("4355") ? held.bytes + bytes >= limits.playerMaxBytes : stryMutAct_9fa48("4354") ? true : (stryCov_9fa48("4354", "4355", "4356"), (stryMutAct_9fa48("4357") ? held.bytes - bytes : (stryCov_9fa48("4357"), held.bytes + bytes)) > limits.playerMaxBytes)))) throw exceeded(stryMutAct_9fa48("4358") ? "" : (stryCov_9fa48("4358"), 'player_max_bytes'));
    if (stryMutAct_9fa48("4361") ? files > 0 || held.files + files > limits.playerMaxFiles : stryMutAct_9fa48("4360") ? false : stryMutAct_9fa48("4359") ? true : (stryCov_9fa48("4359", "4360", "4361"), (stryMutAct_9fa48("4364") ? files <= 0 : stryMutAct_9fa48("4363") ? files >= 0 : stryMutAct_9fa48("4362") ? true : (stryCov_9fa48("4362", "4363", "4364"), files > 0)) && (stryMutAct_9fa48("4367") ? held.files + files <= limits.playerMaxFiles : stryMutAct_9fa48("4366") ? held.files + files >= limits.playerMaxFiles : stryMutAct_9fa48("4365") ? true : (stryCov_9fa48("4365", "4366", "4367"), (stryMutAct_9fa48("4368") ? held.files - files : (stryCov_9fa48("4368"), held.files + files)) > limits.playerMaxFiles)))) throw exceeded(stryMutAct_9fa48("4369") ? "" : (stryCov_9fa48("4369"), 'player_max_files'));
  }
}
function exceeded(limit: string): Refusal {
  if (stryMutAct_9fa48("4370")) {
    {}
  } else {
    stryCov_9fa48("4370");
    const detail = stryMutAct_9fa48("4371") ? `` : (stryCov_9fa48("4371"), `There is no room left by ${limit}: delete files, or have the limit raised.`);
    return new Refusal(stryMutAct_9fa48("4372") ? "" : (stryCov_9fa48("4372"), 'unprocessable'), stryMutAct_9fa48("4373") ? "" : (stryCov_9fa48("4373"), 'quota_exceeded'), detail, stryMutAct_9fa48("4374") ? {} : (stryCov_9fa48("4374"), {
      limit
    }));
  }
}