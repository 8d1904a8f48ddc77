// Every limit of the rooms that is not a game's own setting, in one place. Those of what the store holds are its
// contract's (stores/contract/rooms.ts): members' lives, messages kept for `since`.

// The door: who comes in.

/** Connections to one node. One takes some tens of KiB while it is quiet, and up to 2 MiB while it does not read. */
export const SOCKETS_PER_NODE = 20_000
/** Connections to one node from one address, as calls are counted by; not looked at with RATE_LIMITS=off. */
export const SOCKETS_PER_ADDRESS = 2_000
/** Connections to one node of one player. */
export const SOCKETS_PER_PLAYER = 20
/** The Retry-After of a refused handshake. */
export const COME_AGAIN_AFTER_SECONDS = 5
/** Longer than any ticket. */
export const TICKET_MAX_CHARACTERS = 128
/** How long the API may take to redeem one, where the rooms are apart from it. */
export const REDEEM_MOST_MS = 5_000
/** Origins that some game allows, remembered for as long. */
export const ORIGINS_REMEMBERED = 1_000
export const ORIGIN_REMEMBERED_MS = 10_000
/** Time for a new connection to say which namespace it wants. */
export const CONNECT_MOST_MS = 10_000
/** Time for a polling connection to move to the WebSocket that it opened. */
export const UPGRADE_MOST_MS = 10_000
export const PING_EVERY_MS = 25_000
export const PONG_WITHIN_MS = 20_000

// What one connection may send.

/** Largest frame that is read: the largest message there may be, escaped, with what is around it. */
export const FRAME_MOST_BYTES = 524_288
/** Frames of one connection that are read in one turn of the event loop: then all others have theirs. */
export const FRAMES_A_TURN = 64
/** Packets that one request of a client that polls may bring: as many as it may send until it is cut for a flood. */
export const POSTED_MOST = 5_000
/** A posted body arrives in so many chunks at most … */
export const POST_CHUNKS_MOST = 2_048
/** … and within so long; … */
export const POST_WITHIN_MS = 10_000
/** … so many of one network address are read at once; … */
export const POSTS_PER_NETWORK = 256
/** … and so much memory is taken for one at first. */
export const POST_FIRST_BYTES = 4_096
/** Fragments of one WebSocket message, and pieces of the network that one frame arrives in. */
export const FRAGMENTS_MOST = 256
export const FRAME_PIECES_MOST = 2_048
/** Until a connection has said which namespace it wants: what it may send in all, one full request among it. */
export const EARLY_PACKETS_MOST = 6_000
export const EARLY_MOST_BYTES = 131_072
/** A WebSocket that belongs to no connection in a namespace by then is closed. */
export const EARLY_WITHIN_MS = 20_000
/** Received and not read yet: frames and bodies that are incomplete, and frames that wait for their turn. */
export const RECEIVED_PER_NETWORK_BYTES = 33_554_432
export const RECEIVED_PER_NODE_BYTES = 134_217_728
/** What a frame that waits takes beside its bytes. */
export const WAITING_FRAME_BYTES = 256
/** Frames a second of one network address on one node; over it, its connections are read later. Not with RATE_LIMITS=off. */
export const FRAMES_PER_NETWORK = 20_000
export const FRAMES_PER_NETWORK_AT_ONCE = 40_000
/** Work a second of one network address on one node, in units of about 0.1 ms; over it: `too_fast`. Likewise. */
export const WORK_PER_NETWORK = 1_000
export const WORK_PER_NETWORK_AT_ONCE = 10_000
/** What events cost that are no messages: others cost one. */
export const EVENT_WORK: Readonly<Record<string, number>> = { rooms: 2, create: 5, join: 5, watch: 5 }
/** What a search for rooms costs beside its event. */
export const SEARCH_WORK = 20
export const NETWORKS_REMEMBERED = 65_536
/** Bursts hold this many seconds of a connection's rate. */
export const BURST_SECONDS = 2
/** Events that are no messages: lists, joins, watches. */
export const OTHERS_PER_SECOND = 20
/** Searches for rooms, each of which looks at every listed room of the game. */
export const SEARCHES_PER_SECOND = 2
/** Joins and creations that one connection may try in any such time. */
export const ATTEMPTS_MOST = 30
export const ATTEMPTS_WITHIN_MS = 10_000
/** A connection that sends this many times its rate … */
export const FLOOD_FACTOR = 10
/** … for as long is cut. */
export const FLOOD_MS = 5_000
/** Of that many times its rate this part may come at once, more than any burst, … */
export const HASTE_AT_ONCE = 0.25
/** … and the rest spread over as long of each second: who sends faster is read from again after a while only. */
export const HASTE_SPREAD_MS = 500
export const HASTE_RESTS_MS = 50
/** Events of one connection being answered; more are refused. */
export const IN_HAND_MOST = 256
export const ROOMS_PER_SOCKET = 32
/** Open rooms that one player made, and that were made from one network address; fixed rooms aside. */
export const ROOMS_PER_PLAYER = 5
export const ROOMS_PER_NETWORK = 20
export const WATCHES_PER_SOCKET = 8

// What events may hold.

/** As large as a game may let a room be. */
export const ROOM_SIZE_MOST = 1_000
export const NAME_MAX_CHARACTERS = 64
/** Maximum characters of an unknown event name that the refusal repeats. */
export const EVENT_TOLD_MOST_CHARACTERS = 64
export const LIST_LIMIT_DEFAULT = 20
export const LIST_LIMIT_MOST = 100
export const LIST_OFFSET_MOST = 1_000_000_000
export const BOARD_TOP_DEFAULT = 10
export const BOARD_TOP_MOST = 100

// What one connection may leave unread.

/** What it may hold unsent in this process, after as much went out as the system takes, before it is cut. */
export const UNSENT_MOST_BYTES = 1_835_008
/** Likewise for polling: as much again may be in the answer to its last poll. */
export const UNSENT_POLLING_MOST_BYTES = 917_504
/** Handed to the system at a time; more waits until that went out, and meanwhile the client is not read from. */
export const HANDED_MOST_BYTES = 262_144
/** A connection with something unsent, of which nothing went out for as long, is cut … */
export const STALLED_MOST_MS = 4_000
export const STALL_LOOK_EVERY_MS = 250
/** … and one that is pinged with every so many bytes, and so many pings behind for as long; … */
export const PROBE_EVERY_BYTES = 65_536
export const UNANSWERED_MOST = 4
/** … while it is not read from, its answers neither, if nothing went out for so long. */
export const HELD_STALLED_MOST_MS = 1_000

// How changes are sent.

/** How long a tick is, where one follows the other. */
export const TICK_MS = 5
/** So many times what telling took in the one before, … */
export const TICK_OF_TELLING = 8
/** … and never longer than this. */
export const TICK_MOST_MS = 20
/** What a room says in one piece. */
export const PIECE_MOST_BYTES = 131_072
/** In a room with more members than this, joins and leaves are sent in batches. */
export const PRESENCE_AT_ONCE_MEMBERS = 32
export const PRESENCE_EVERY_MS = 50
/** Maximum updates of a watched board per second. */
export const BOARD_TOLD_MOST = 4
/** Between two looks at a watched board: so that none of them is once too often, though timers are late at times. */
export const BOARD_EVERY_MS = 260

// Who may stay.

/** Revocations that nobody told of are found within this time. */
export const REVOKED_LOOK_EVERY_MS = 30_000
/** Whoever was named among the revoked, and of whom nobody can tell for as long, is cut. */
export const UNTOLD_MOST_MS = 1_000
/** A node that has not heard of revocations for as long cuts everybody … */
export const UNHEARD_MOST_MS = 2_000
/** … where it was there to hear for so long of that. */
export const UNHEARD_WAITS_MS = 900
export const WATCH_EVERY_MS = 100
/** Questions about who may stay, put in one exchange with the store; asked again where it was away. */
export const ASKED_AT_ONCE = 200
export const ASKED_AGAIN_AFTER_MS = 100
/** How often the settings of the games that have somebody here are read again. */
export const SETTINGS_LOOK_EVERY_MS = 1_000
/** How long a closing server lets what was said last go out. */
export const CLOSING_MOST_MS = 1_000
export const CLOSING_LOOK_EVERY_MS = 10
