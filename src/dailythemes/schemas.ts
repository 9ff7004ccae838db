// The wire forms of daily themes.
import { DateTime, Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { ImageSizeData, ImageUploadData } from '../image/schemas.ts'

/** The theme of a day. */
export type DailyThemeData = Static<typeof DailyThemeData>
export const DailyThemeData = Dto('DailyThemeData', {
  themeID: Uuid,
  title: Type.String(),
  info: Type.String(),
  image: Type.Optional(Type.String()),
  /** Of the image; absent while it is not known. */
  imageSize: Type.Optional(ImageSizeData),
  /** 0 is embarkation day; days before it are negative. */
  cruiseDay: Int,
  updatedAt: DateTime,
})

/** Creates or replaces a theme. */
export type DailyThemeUploadData = Static<typeof DailyThemeUploadData>
export const DailyThemeUploadData = Dto('DailyThemeUploadData', {
  title: Text(),
  info: Text(),
  image: Type.Optional(ImageUploadData),
  cruiseDay: Int,
  /** Of an edit: `updatedAt` as the caller has seen it. The edit is refused when somebody else was faster. */
  basedOn: Type.Optional(DateTime),
})

/** Themes of several days, written together or not at all. Their images stay. */
export type DailyThemeTableData = Static<typeof DailyThemeTableData>
export const DailyThemeTableData = Dto(
  'DailyThemeTableData',
  {
    themes: Type.Array(
      Dto('DailyThemeRowData', {
        cruiseDay: Int,
        /** Absent: the day has no theme any more. */
        title: Type.Optional(Text()),
        info: Type.Optional(Text()),
        /** `updatedAt` of the day's theme as the caller has seen it; absent: there was none. Refused when it is otherwise by now. */
        basedOn: Type.Optional(DateTime),
      }),
      { maxItems: 400 },
    ),
  },
  ({ themes }, fail) => {
    if (new Set(themes.map(({ cruiseDay }) => cruiseDay)).size < themes.length)
      fail({ text: 'themes has a day twice', rule: 'alike' }, 'themes')
  },
)
