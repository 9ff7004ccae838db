// How long Postgres goes on with a statement, and from when on nothing of a server that is gone can change any more.

/** A statement that takes longer is ended by Postgres. */
export const statementTimeoutMs = 8000

/**
 * So long after a server was last heard, or its connection broke, its statements have ended: they may still have waited for a
 * lock, until their timeout, without anybody there to take the answer. The rest is for slow machines and networks.
 */
export const outcomeKnownMs = statementTimeoutMs + 4000
