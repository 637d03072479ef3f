/** A program for tests, in the browser's as well. */

/** Two equal adds: value numbering finds the second one. */
export const TWO_ADDS = `.kernel k(a: R0, b: R1, out: RD1)
BB0:
    IADD R2, R0, R1
    ISETP.LT P0, R0, 5
    @P0 BRA BB2
BB1:
    IADD R4, R0, R1
    STG [RD1], R4
    BRA BB3
BB2:
    STG [RD1], R2
BB3:
    EXIT
`;
