// The manifest of a feature: all that the frame has to know of a noun of the product. Whatever has to be complete reads it;
// nothing else lists what features have.
import type { Node } from '../work/ctx.ts'
import type { DeclaredTable } from '../db/tables.ts'
import type { AnyJob, Sweep } from '../work/job-runner.ts'
import type { OldRowsRule } from '../work/old-rows.ts'
import type { Page } from './http.ts'
import type { Route, ServiceFeature, SocketRoute } from './route.ts'

/** Lists that are absent are empty. */
export interface Feature {
  /** The noun: the name of its folder. */
  readonly name: string
  /** Codes of refusals that it alone has, with their meanings. */
  readonly errorCodes?: Readonly<Record<string, string>>
  /** Paths of the browser app that it has. */
  readonly webPaths?: readonly string[]
  readonly routes?: readonly Route[]
  readonly sockets?: readonly SocketRoute[]
  /** Addresses outside the API. */
  readonly pages?: readonly Page[]
  /** What its routes can be switched off by. */
  readonly switches?: readonly ServiceFeature[]
  readonly tables?: readonly DeclaredTable[]
  readonly jobs?: readonly AnyJob[]
  readonly sweeps?: readonly Sweep[]
  /** What of it the host may let go when it is old. */
  readonly oldRows?: readonly OldRowsRule[]
  /** Reads into memory what a node does not go without, before it takes requests. */
  readonly load?: (node: Node) => Promise<unknown>
}

declare module '../work/ctx.ts' {
  interface Node {
    readonly features: readonly Feature[]
  }
}

/** Declares a feature. */
export const feature = (manifest: Feature): Feature => manifest

/** The tables of all features. */
export const tablesOf = ({ features }: Pick<Node, 'features'>): DeclaredTable[] => features.flatMap(({ tables = [] }) => tables)
