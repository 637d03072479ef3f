/** Programs that both the command line's tests of futures and the page's open. */

/** Two equal adds for GvnCse, and a copy of the first result for the copy propagation. */
export const ADDS = `.kernel adds(a: R0, b: R1, out: RD1)
BB0:
    IADD    R2, R0, R1
    IADD    R3, R0, R1
    IADD    R4, R2, R3
    STG     [RD1], R4
    EXIT
`;

/** 0x40000000 is out of the table's range; its fourfold is 0. */
export const TABLE = `.kernel k(a: R0, out: RD2)
.table JT0 base=0 default=D { A, B, D, A }
BB0:
    SHL     R4, R0, 30
    JMX     R4, JT0
A:
    MOV     R5, 10
    BRA     JOIN
B:
    MOV     R5, 20
    BRA     JOIN
D:
    MOV     R5, 1
JOIN:
    STG     [RD2], R5
    EXIT
`;
