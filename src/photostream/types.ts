// The places that a photo can be of.

export const boatLocations = ['Main Stage', 'Second Stage', 'Main Dining', 'Specialty Dining', 'Pool Area', 'On Boat', 'Ashore'] as const
export type PhotoStreamBoatLocation = (typeof boatLocations)[number]

/** Of photos whose place is unknown, or whose event is not on the schedule any more. */
export const anywhere = 'On Boat' satisfies PhotoStreamBoatLocation
