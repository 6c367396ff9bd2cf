// 18216 case-folded passwords, sorted by their bytes, with one white space character between two. They are the ten
// thousand most frequent passwords of published leaks and, of the next twenty thousand, those with eight characters or
// more. The order by frequency comes from the data on which password strength estimators are built.

extension CommonPasswords {
  static let list: StaticString = #"""
    !qaz2wsx !qazxsw2 %%passwo %e2%82%ac .adgjmptw 0.0.0.000 0.0.000 000000 0000000000d 0000000000o 00000001 00000007
    0000007 000000a 000001 000007 00009999 0001 000111 0007 000777fffa 00096462 00197400 007007 007700 007bond
    007james 00998877 01011 01011900 01011910 01011950 01011960 01011961 01011970 01011971 01011972 01011973 01011974
    01011975 01011976 01011977 01011978 01011979 01011980 01011981 01011982 01011983 01011984 01011985 01011986
    01011987 01011988 01011989 01011990 01011991 01011992 01011993 01011994 01011995 01011999 01012000 01012001
    01012010 01012011 010180 010203 01020304 0102030405 010203040506 01021990 01031985 01031988 01031989 01041985
    01041988 01061986 01061990 01071986 01081988m 01081989 01091987 01091989 01121986 01121988 012345678910 0123654789
    013cpfza 014702580369 0147258369 01478520 0147852369 01478963 0147896325 0192837465 01telemike01 02011971 02011975
    02011980 02011981 02011982 02011983 02011984 02011985 02011986 02011987 02011988 02011989 02021971 02021973
    02021976 02021979 02021981 02021982 02021983 02021984 02021985 02021986 02021987 02021988 02021989 02021990
    02031970 02031973 02031974 02031975 02031977 02031978 02031979 02031980 02031981 02031982 02031984 02031985
    02031986 02031987 02031988 02031989 02041972 02041973 02041974 02041975 02041976 02041977 02041978 02041979
    02041980 02041981 02041982 02041983 02041984 02041985 02041986 02041987 02041988 02041989 02051970 02051972
    02051973 02051975 02051976 02051977 02051978 02051980 02051981 02051982 02051983 02051984 02051985 02051986
    02051987 02051988 02051989 02061971 02061972 02061974 02061976 02061977 02061980 02061982 02061983 02061984
    02061985 02061986 02061987 02061988 02061989 02071971 02071975 02071976 02071978 02071979 02071980 02071981
    02071982 02071983 02071984 02071986 02071987 02071988 02071989 02081970 02081973 02081974 02081976 02081977
    02081980 02081982 02081983 02081984 02081985 02081986 02081987 02081988 02081989 02091971 02091973 02091975
    02091976 02091977 02091980 02091981 02091983 02091984 02091985 02091986 02091987 02091989 02101973 02101976
    02101977 02101979 02101981 02101983 02101984 02101985 02101986 02101987 02101988 02101989 02551670 02588520
    03031986 03041986 03041991 03082006 033028pw 04041988 04041991 0420 04325956 04975756 05051985 05051987 05051989
    06061986 06225930 063dyjuy 07071977 07071987 07091990 0773417k 07831505 07931505 08031985 08031986 08051990
    08081988 08121986 08154711 08522580 085tzzqi 088011 09051945 09080706 090808qwe 0987654321a 0987654321q 09877890
    0cdh0v99ue 0o9i8u 0o9i8u7y 0o9i8u7y6t 0okm9ijn 0p9o8i7u 0raziel0 0sister0 1000 10000 100000 1000000 100001 1001
    10011986 10011990 1002 100200300 1003 10031988 1004 1005 100500 10051987 1007 10071987 1008 1009 100years 10101
    10101986 10101990 101091m 1011 10111213 1012 1013 1017 1020 10203 102030 10203040 102030405 1020304050
    102030405060 1022 1023 1024 102938 10293847 102938475 1029384756 1029384756q 10293847qp 1031 1066 10inches 10sne1
    11001001 1102 110442 11051987 11051990 11061985 11081989 111000 111111 11111111 1111111111zz 11111111a 11111118
    1111111a 1111111q 111111a 111111aa 111111q 1111122222 11111a 11111aaaaa 11111q 11112222 11119999 1111aaaa 1111qqqq
    1112 11121314 1112131415 11121986 111222 11122233 111222333 111222333000 111222333444555 111222333a 111333 111555
    111777 111aaa 111luzer 111qqq 111zzzzz 1121 1122 112211 1122112211 11223 112233 11223300 11223311 1122334 11223344
    112233445 1122334455 112233445566 11223344q 11223355 112233a 112233aa 112233q 1123 11234567 112358 11235813
    112358132 1123581321 1124 1125 11251422 11335577 1133557799 114477 115599 118a105b 11924704 11c645df 11qq22ww
    12011987 12021988 12031985 12031987 1204 12051988 120676 1210 1211 1211123a 12121 1212121 121212q 12121985
    12121990 1212312121 12123434 1213 121314 12131415 1213141516 1215 1221 12213443 1223 122333 1223334444
    122333444455555 12233445 1224 1225 123000 1230123 123098 12312 123123 12312312 123123123a 123123123q 123123321
    1231234 12312345 123123456 123123789 123123a 123123e 123123q 123123qq 123123qwe 123123qweqwe 123123z 1232323q
    123258 12332 123321 12332100 1233211 12332112 123321123 12332145 123321456 123321456654 123321a 123321aa 123321az
    123321q 123321qaz 123321qq 123321qw 123321qwe 123321qweewq 123321z 123369 1234 12340987 123412 1234123 12341234q
    12342000 1234321 12343412 1234432 12344321 12344321a 12344321q 12345 123450 1234509876 123451 12345123 123451234
    1234512i 123452000 123452345 123454 12345432 123454321 123455 123455432 1234554321 1234554321a 1234554321q 123456
    1234560 12345600 1234561 12345611 12345612 123456123 1234562000 123456321 12345654321 12345656 1234566 123456654
    123456654321 12345666 1234567 12345670 12345671 12345672000 12345677 12345678 123456780 123456781 123456782000
    123456788 1234567887654321 123456789 123456789. 1234567890 12345678900 123456789000 12345678900987654321
    1234567890987654321 1234567890a 1234567890d 1234567890m 1234567890o 1234567890p 1234567890q 1234567890qaz
    1234567890qw 1234567890qwe 1234567890qwerty 1234567890s 1234567890w 1234567890z 1234567890zzz 1234567891
    12345678910 123456789101 12345678912 123456789123 1234567892000 12345678987654321 1234567899 123456789987654321
    123456789a 123456789aa 123456789abc 123456789as 123456789asd 123456789b 123456789c 123456789d 123456789e
    123456789f 123456789g 123456789i 123456789j 123456789k 123456789l 123456789m 123456789n 123456789o 123456789p
    123456789q 123456789qaz 123456789qq 123456789qqq 123456789qw 123456789qwe 123456789qwer 123456789qwerty 123456789r
    123456789s 123456789t 123456789v 123456789w 123456789x 123456789y 123456789z 123456789zx 123456789zxc 123456789zz
    12345678a 12345678c 12345678d 12345678i 12345678m 12345678q 12345678qwe 12345678s 12345678w 12345678z 12345679
    123456798 1234567a 1234567aa 1234567b 1234567d 1234567j 1234567k 1234567l 1234567m 1234567q 1234567qw
    1234567qwertyu 1234567r 1234567s 1234567t 1234567u 1234567v 1234567w 1234567z 1234568 12345687 12345689 1234569
    12345698 123456987 12345699 123456a 123456aa 123456aaa 123456ab 123456abc 123456as 123456asd 123456b 123456c
    123456d 123456f 123456g 123456h 123456k 123456l 123456m 123456n 123456q 123456qaz 123456qq 123456qqq 123456qw
    123456qwe 123456qwer 123456qwert 123456qwerty 123456r 123456rrr 123456ru 123456s 123456ss 123456t 123456v 123456w
    123456y 123456z 123456zx 123456zxc 123456zz 123457 12345789 123458 123459 123459876 12345a 12345abc 12345abcd
    12345abcde 12345asd 12345asdfg 12345c 12345d 12345k 12345m 12345q 12345qaz 12345qqq 12345qw 12345qwe 12345qwer
    12345qwert 12345qwerty 12345r 12345rewq 12345s 12345t 12345trewq 12345v 12345w 12345z 12345zxc 12345zxcvb 123465
    12346789 12347890 12348765 12349876 1234abc 1234abcd 1234asdf 1234kekc 1234qaz 1234qw 1234qwe 1234qwer
    1234qwerasdf 1234qwerasdfzxcv 1234qwert 1234qwerty 1234rewq 1234rmvb 1234zxcv 123567 12356789 1235789 123578951
    1235813 123581321 12365 123654 12365478 123654789 1236547890 123654789a 123654987 123698 1236987 12369874
    123698741 123698745 1236987z 123789 123789456 1237895 123890 123987 123987456 123aaa 123ab 123abc 123abc123
    123as123 123asd 123asd123 123bbb 123boots1 123ewq 123ewqasd 123hfjdk147 123joker 123lol123 123masha 123mudar
    123q123 123qaz 123qaz123 123qazwsx 123qq123 123qw 123qw123 123qwaszx 123qwe 123qwe12 123qwe123 123qwe321 123qwe456
    123qwe456rty 123qweas 123qweasd 123qweasdzx 123qweasdzxc 123qweqwe 123qwer 123qwert 123qwerty 123qwerty123 123rrr
    123zxc 123zxc123 124038 124356 12435687 124578 12457896 124578963 124816 12481632 12758698 128500 12e3e456
    12inches 12locked 12monkey 12monkeys 12qw12 12qw12qw 12qw34er 12qw34er56ty 12qwas 12qwaszx 12qwerty 12s3t4p55
    12string 13021990 13031987 13041987 13041988 13061986 13121985 13131 131313 131415 132435 13243546 132456 13245678
    13245768 132465 132465798 132forever 13324124 133andre 134679 134679258 13467982 13467985 134679852 1346798520
    134kzbip 135135ab 135246 1357 13571113 13572468 13576479 13579 135790 1357908642 135791 1357911 1357911q 13579135
    13579246 135792468 1357924680 135797531 135798642 135799 1357997531 1366613 1369 14021985 14021986 14061991
    14071789 14111986 14142135 141516 14159265 141627 142536 142536789 142857 14314314 145236 145632 147258 14725836
    147258369 1472583690 147258369a 147369 147369258 1475369 147741 147852 1478520 14785236 147852369 147852963 147896
    1478963 14789632 147896321 147896325 147963 14881488 1492 14938685 14vbqk9p 15011987 15021985 15051981 15051990
    150781 15101986 151nxjmt 15253545 153624 153759 15426378 154ugeiu 158uefas 159263 159357 159357123 159357258
    159357456 15935746 159357852 159357a 159632 1596321 15975 159753 15975300 15975312 159753123 15975321 1597532486
    159753258 159753456 159753456852 15975346 159753852 15975391 159753a 159852 1598753 15987532 159875321 159951
    159951159 15s9pu03 16051987 16051989 16121987 162534 1701 17011987 17051988 17061988 17071994a 17171717aa 1725782
    172839 172839456 17711771s 1776 18011987 18061990 18091985 1812 18121812 18254288 18273645 18436572 18821221
    18n28n24a 19061987 19101987 1911a1 19216801 19216811 192837 19283746 192837465 1928374655 19371ayj 19372846
    19380018 19391945 19411945 1958proman 196969 19719870 1972chev 19733791 19755791 19761977 19801982 19801984
    19821983 19822891 19831985 19833891 19841989 19844891 19851985p 19855891 19866891 1986irachka 1986mets 19877891
    19891959 19899891 19911992 19921993 19922991 19932916 19933991 19944991 19952009sa 19955991 19966991 19977991
    19992000 19mtpgam19 1a2a3a 1a2a3a4a 1a2a3a4a5a 1a2b3c 1a2b3c4d 1a2b3c4d5e 1a2s3d 1a2s3d4f 1a2s3d4f5g 1a2s3d4f5g6h
    1aaaaaaa 1abcdefg 1andonly 1arsenal 1asdfghj 1asshole 1assword 1autopas 1basebal 1bastard 1batman 1bbbbbbb
    1bigdadd 1bigdick 1bigdog 1bigfish 1bitch 1brandon 1bulldog 1bullshi 1buster 1butthea 1carolin 1ccccccc 1charles
    1charlie 1chelsea 1chester 1chicken 1christi 1compute 1corvett 1cowboys 1creativ 1cricket 1crystal 1dallas
    1diamond 1digital 1dolphin 1dragon 1drummer 1eeeeeee 1escobar2 1explore 1ferrari 1fishing 1flowers 1footbal
    1forever 1freedom 1fuck 1fuckme 1fuckyou 1gandalf 1gateway 1ggggggg 1grizzly 1harley 1heather 1herbier 1hxboqg2
    1hxboqg2s 1iiiiiii 1j9e7f6f 1jackson 1jeffrey 1jennife 1jessica 1jjjjjjj 1johnson 1killer 1ladybug 1letmein 1love
    1lover 1loveyou 1manager 1master 1matthew 1melissa 1mercede 1michael 1michell 1million 1money 1monkey 1monster
    1montana 1mustang 1newlife 1packers 1panther 1panties 1pass1page 1passwor 1password 1patrick 1peaches 1penguin
    1phoenix 1porsche 1pumpkin 1pussy 1q2q3q 1q2q3q4q 1q2q3q4q5q 1q2w3 1q2w3e 1q2w3e4r 1q2w3e4r5 1q2w3e4r5t
    1q2w3e4r5t6y 1q3e5t7u 1qa2ws 1qa2ws3e 1qa2ws3ed 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qasw23ed 1qay2wsx 1qayxsw2 1qaz!qaz
    1qaz0okm 1qaz2ws 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qaz3edc 1qaz@wsx 1qazse4 1qazwsxedc 1qazxc 1qazxcvb
    1qazxdr5 1qazxsw 1qazxsw2 1qazxsw23edc 1qazxsw23edcvfr4 1qazzaq1 1qw23er4 1qwert 1qwerty 1qwerty1 1qwertyu
    1qwertyuiop 1rainbow 1ranger 1rangers 1richard 1rosebud 1s1h1e1f1 1samanth 1scooter 1sexy 1sexyred 1shadow
    1simpson 1starwar 1steeler 1stunner 1sunshin 1superma 1therock 1thunder 1tiffany 1trouble 1vampire 1w2q3r4e
    1w2w3w4w 1warrior 1wildcat 1william 1winston 1x2zkg8w 1xrg4kcq 1xxxxxxx 1z2x3c 1z2x3c4v 1z2x3c4v5b 1zxcvbnm
    1zzzzzzz 200000 2000jeep 200190ru 20031987 2004-10- 20051988 20061988 20091988 20091989q 20091991 20111986
    201jedlz 20spanks 21011989 21031987 21031988 21031990 21051988 21051991 21101986 2112 21125150 2112rush 212009164
    212121qaz 2128506 213546879 213qwe879 214365 21436587 22011988 22021986 22021989 22031984 22041987 22041988
    22061941 22071986 221195ws 22221111 22223333 222333 222444 222555 222777 223322 223344 22334455 224466 22446688
    224488 225588 2278124q 22q04w90e 2300mj 23021986 23041987 23049307 2305822q 23176djivanfros 232425 233223 235689
    23jordan 23skidoo 23wesdxc 24011985 2401pedro 24061986 24111989 243462536 245lufpq 2468 24680 2468013579 246810
    24681012 24681357 246813579 24688642 2469 24861793 248ujnfk 24gordon 24pnz6kc 25000 2502557i 25031987 25041988
    25081988 25091987 25121987 25251325 25252 253634 254xtpss 2580 258000 25800852 25802580 258369 258456 258852
    258963 26031988 26061987 260zntpc 26429vadim 267ksyjf 26exkp 27061988 271828 27731828 28011987 28021990 28021992
    28041987 287hf71h 28infern 29011985 29051989 29071983 299792458 2b4dnvsx 2b8riedt 2bigtits 2bornot2 2bornot2b
    2children 2dumb2live 2fast4u 2hot4u 2hot4you 2i5fdruv 2kash6zq 2letmein 2sexy2ho 2sweet 2w3e4r 2w3e4r5t 2wj2k9oj
    2wsx1qaz 2wsx3edc 2wsx4rfv 2wsxcde3 2wsxzaq1 2ykn5ccf 3000 3000gt 30031988 30041986 30051985 3006 305pwzlr
    30624700 31011987 31021364 311music 31217221027711 31359092 314159 3141592 31415926 314159265 3141592654 31415927
    3151020 315475 315920 321123 321456 321456987 321654 32165498 321654987 32167 3216732167 321678 321ret32 322223
    3234412 326159487 32615948worms 3263827 332211 333221 333222 333222111 33334444 333444 333555 333666 333666999
    333777 333999 334455 335533aa 335577 336699 33rjhjds 343104ky 34523452 34524815 3465xxx 34erdfcv 357159 357753
    357951 357mag 3611jcmg 36169544 362436 362514 36460341 368ejhih 369258 36925814 369258147 369852 36985214
    369852147 3698741 36987412 369874125 369963 37583867 380zliki 383pdjvl 38972091 38gjgeuftd 3984240 3e2w1q 3edc4rfv
    3edcvfr4 3f3fpht7op 3ip76k2 3rjs1la7qe 3stooges 3syqo15hil 3techsrl 3x7pxr 3xbobobo 40028922 4077mash 4121 4128
    413276191q 415263 41d8cd98f00b 4200 420000 420247 420420 42042042 420smoke 426hemi 427900 427cobra 4294967296
    42qwerty42 43046721 4311111q 43211234 4321rewq 4417 44332211 44445555 44448888 444555 444555666 444777 445566
    44556677 44e3ebda 44magnum 4506802a 454dfmcq 456123 456123789 456258 456321 45645645 456654 45678912 456789123
    456852 456987 45m2do5bs 46466452 46775575 474jdvff 478jfszk 4809594q 48151623 481516234 4815162342 4815162342a
    4815162342lost 4815162342q 48n25rcc 4904s677075 49527843 495rus19 49ers 4cranker 4ebouux8 4ever 4fa82hyx 4freedom
    4g3izhox 4gxrzemq 4me2know 4r3e2w1q 4rfv3edc 4rfv5tgb 4runner 4rzp8ab7 4seasons 4you 4z34l0ts 4z3al0ts 5000 500000
    50cent 50spanks 51051051051 51094didi 5150 515000 51501984 51502112 515051 515253 51525354 51842543 5201314
    52545856 52678677 531879fiz 5329 5411pimo 541233432442 54132442 5432112345 545ettvy 551scasi 55378008 55443322
    5544332211 55495746 554uzpad 555000 5551212 555222 555333 555556 55556666 555666 555666777 555777 556677 55667788
    55832811 55bgates 55chevy 565hlgqo 567rntvm 56836803 57392632 57699434 57chevy 58565254 59382113kevinp 5c92v5h6
    5element 5gtgiaxm 5hsu75kpot 5t4r3e2w1q 5t6y7u8i 5tgb6yhn 5tgbnhy6 5w76rnqp 5wr2i7h8 615243 61808861 622521
    625vrobg 62717315 6339cndh 635241 640xwfkv 6458zn7a 651550 654123 654321 654321a 654321q 655321 65mustan 66005918
    665544 6661313 66613666 666333 666555 666666 666666a 66669999 666777 666999 666999666 666satan 669e53e1 671fsa75yt
    67390436 6751520 67899876 67camaro 67mustan 682regkh 6846kg3r 686xqxfg 68camaro 69213124 6969 69696 696969 699669
    69camaro 6gcf636i 6jhwmqku 6uldv8 6xe8j2z4 6yhn7ujm 7007 705499fh 73501505 74108520 7412369 74123698 741236985
    741258 741258963 7415963 741852 74185296 741852963 7418529630 741852kk 741963 74227422 742617000027 747400
    748159263 748596 753159 753357 753951 753951456 753951852 754740g0 7653ajl1 7654321a 76689295 766rglqy 770129ji
    7753191 777000 777111 777333 777444 777555 777555333 777666 7777755102q 7777777 77777778 7777777a 7777777s
    7777777z 77778888 777888 777888999 7779311 777999 777angel 777vlad 778899 784512 78621323 787898 789123 789123456
    78945 789456 78945612 789456123 7894561230 789456123a 7895123 7896321 78963214 789632145 789632147 789654
    789654123 78978978 789852 789987 78n3s5af 794613 794613258 794613852 7elephants 7ertu3ds 7f4df451 7gorwell 7grout
    7hrdnw23 7imjfstw 7jokx7b9du 7ovtgimc 7u8i9o0p 7ugd5hip2j 80070633pc 80637852730 808state 8096468644q 80988218126
    81726354 81fukkc 823762 824358553 8363eddy 837519 85200258 852258 852456 852963 85852008 863abgsg 8675309 86753099
    86chevyx 87062134 870621345 875421 87654321q 878kckxy 87e5nclizry 88002000600 88351132 885522 88887777 88889999
    888999 890098890 89015173454 89032073168 89172735872 89211375759 89231243658s 8928190a 895623 89600506779
    89876065093rax 8ball 8inches 8j4ye3uz 8letters 8phrowz622 8phrowz624 8seconds 8xuuobe4 90210 902100 906090
    9085084232 9085603566 9111961 911911 911turbo 91328378 918273 918273645 92702689 9293709b13 9379992 9379992a
    9379992q 944turbo 951357 951753 951753852 9562876 96321478 963214785 963258 963258741 963369 963852 96385274
    963852741 9638527410 98256518 986532 987123 987321 9874123 98741236 987412365 987456 98745632 987456321 987654123
    987654321a 987654321g 987654321q 987654321z 98766789 987789 98798798 989244342a 996633 99762000 998877 99887766
    9988776655 999000 999111 999111999q 999666 999666333 999777 999888 999888777 99ranger 99strenght 9hmlpyjd 9hotpoin
    9kyq6fge 9z5ve9rrcz a11111 a111111 a1234 a12345 a123456 a1234567 a12345678 a123456789 a1234567890 a123456a
    a123456b a123456z a19l1980 a1a2a3 a1a2a3a4 a1a2a3a4a5 a1b2c3 a1b2c3d4 a1b2c3d4e5 a1l2e3x4 a1s2d3 a1s2d3f4
    a1s2d3f4g5 a1s2d3f4g5h6 a32tv8ls a3eilm2s2y a4tech a7777777 a7nz8546 a8kd47v5 a9387670a a987654321 aa1111aa
    aa123123 aa123321 aa123456 aa123456789 aaa111 aaa123 aaa12345 aaa123456 aaaa1111 aaaa1122 aaaaa1 aaaaaa1 aaaaaaa1
    aaaabbbb aaaassss aaabbb aaasss aabbcc aabbccdd aaliyah aardvark aaron1 aaron123 aassdd aassddff ab1234 ab123456
    ab12cd34 abacab abacus abbey1 abc12 abc123 abc1234 abc12345 abc123456 abc123456789 abc123abc abcd123 abcd1234
    abcd12345 abcde123 abcde12345 abcdef12 abcdef123 abcdefg1 abcxyz abdulla abercrom aberdeen abgrtyu abhishek
    abigail1 abnormal abracada abracadabra abrakadabra abramova abraxas abrupt absinthe absolut abstr abudfv abulafia
    ac2zxdty acacia acapulco access access01 access1 access12 access123 access14 access2 access20 access22 access88
    access99 accessno accord account1 accountbloc acdeehan ace123 aceman acerview aceshigh acetate achilles achtung
    acidburn acidrain acmilan acmilan1 action acun3t1x acura acura1 acuransx acurarsx adam1 adam12 adam1234 adam25
    adapters adelante adelheid adelphia adgjmp adgjmptw adidas adidas1 adidas11 adidas12 adidas69 admin admin1
    admin123 admin18533362 admiral1 adonai adonis adrenali adrenalin adrian1 adriana1 adrianna1 adriano adrock
    adv12775 advance1 advantag advent adventur adxel187 aerosmit aerosmith aerostar aessedai aeynbr aezakmi aezakmi1
    afhvfwtdn afrika afrika2002 afrodita afrodite aftermat agamemno agapov58 agassi agbdlcid agent007 aggarwal aggie
    aggies agnieszka agricola agyvorc aikido aikman aikman08 airborn airborn1 airborne airbrush airbus airedale
    airforce airforce1 airjordan airman airplane airwolf aisan aishiteru aishwarya ajax ajcuivd289 ajnjuhfa ajnjuhfabz
    ak470000 akademia akasha akatsuki akinfeev akira aksarben al123456 alabama alabama1 alabama123 alabaste aladdin
    aladin alain alakazam alanfahy alaska alastair alatam albacore albany albatros albert1 albert12 albertjr alberto1
    albion alcapone alcatel alcatraz alchemy alcoholi aldebara aldebaran alderaan alejandr aleksa aleksand aleksander
    aleksandr aleksandra alekseev alekseeva aleksei aleksey alemania alena123 alena2010 alenka alenushka alessand
    alessandr alessandro alessia alessio alevtina alex01 alex1 alex11 alex12 alex123 alex1234 alex12345 alex1959
    alex1971 alex1973 alex1974 alex1975 alex1976 alex1981 alex1982 alex1983 alex1985 alex1987 alex1989 alex1990
    alex1991 alex1995 alex1996 alex1998 alex2000 alex2009 alex2010 alex2112 alexand1 alexande alexander1 alexandr
    alexandra1 alexandre alexandru alexei alexey alexi alexis alexis01 alexis1 alexsander alexsandr alexus alexxx alfa
    alfabeta alfalfa alfarome alfaromeo alfons alfredo1 algernon alhambra alibaba alicante alice1 alice123 aliens
    aligator alina123 alina1994 alina1995 alina1998 alina2002 alina2006 alina2010 alina2011 alinka alino4ka alinochka
    alisher alkaline all4me all4one allah allalone allan1 allan123 allblack allblacks allday allegro allen1 allen123
    alleycat alligato alligator allison1 allister allmine allnight allochka allsop allstar allstar1 allstars allstate
    alltheway almaz666 aloha aloha1 alohomora aloysius alpacino alpha alpha1 alpha123 alpha7 alphabet alphabeta
    alphadog alphaman alphaome alphaomega alphaone alphasig alpina alpine alskdjfh alskdjfhg altair altavista altec
    alterego alternat alternativa althor altima altoids alucard alucard1 am4h39d8nh amadeus amadeus1 amadeusptfcor
    amand amanda01 amanda1 amanda10 amanda11 amanda12 amanda123 amanda18 amanda69 amandine amaranth amarillo amaterasu
    amateur amateurs amatory amatuers amature amazing1 amazon amazonas amazonka amber1 amber123 amberdog amberlee
    ambers ambrosia ambulanc amekpass amelie americ america america1 america2 amerika ameritec amersham ameteur
    amethyst ametuer amidala amiga amiga500 amigo amigos amonra amor amorcit amorcito amore amoremio amores amormi
    amour amstel amsterda amsterdam amsterdam1 an83546921an13 anabelle anabolic anaconda anai anakin anakonda anal
    analfuck anallove analsex analslut ananas ananda anarchy anarchy1 anastaci anastasi anastasija anastasiy
    anastasiya anastasya anathema anatoliy ancella2 anchorag anchorat anderso andover andranik andre1 andre123 andrea1
    andrea11 andrea12 andrea99 andreas1 andreev andreeva andrei andrei123 andreika andrej andretti andrew01 andrew1
    andrew10 andrew11 andrew12 andrew123 andrew13 andrew17 andrew22 andrew23 andrew88 andrew99 andrewjackie andrey
    andrey12 andrey123 andrey1992 andreyka andromed andromeda andros anduril andy2000 andyod22 anechka anfield
    anfield1 anfisa angel angel007 angel1 angel12 angel123 angel13 angel2 angel666 angel7 angel777 angela1 angela12
    angelbab angeldog angeleye angeleyes angeliqu angelit angelito angelo4ek angelochek angelofwar angelok angels
    angelus angie1 anguilla angus angus1 angus123 anhnhoem anhyeuem animal animal2000 animals1 animalsex anime
    anime123 anisimov anita1 anjali ankara anna123 anna12345 anna1982 anna1984 anna1985 anna1986 anna1987 anna1988
    anna1989 anna1990 anna1994 anna1997 anna2000 anna2002 anna2010 anna2614 annamari annapoli annarbor annelies
    annemari annette1 annie1 annie123 anniedog annushka anonymer anonymou another1 antananarivu antares anteater
    antelope anthon anthony0 anthony1 anthony2 anthony3 anthony4 anthony5 anthony7 anthony8 anthony9 anthrax antietam
    antiflag antigone antihero antivirus anton1 anton123 antonell antonella antoni antonia1 antonio1 antonio2 antonio3
    antonioj antonius antonov antonova antoshka anubis anuradha aol123 aolsucks aotearoa apache apache64 apelsin
    aphrodit apocalyp apokalipsis apollo apollo1 apollo11 apollo12 apollo13 appelsin apple apple1 apple123 apple2
    applegat applemac applepie apples apples1 apples12 apples123 applesauce appleseed appletre apricot april1 aprilia
    apteka aptiva aq1sw2de3 aqswdefr aquafina aqualung aquaman aquamann aquarius aquemini aquila aqwzsx aqwzsxedc
    arabella arachnid aragorn aragorn1 aramis ararat arcadia arcane arcangel archange archangel archery archibal
    archimed architec archmage archon arclight arcturus area51 aregdone arenrone areyukesc argent argentin argentum
    argonaut argyle arhangel arianna1 aries arioch aristote aristotl arizona arizona1 arjay arkangel arlingto armada
    armadill armagedd armageddon armagedo armagedon arman armani armastus armstron arnaud arnster55 arrakis arrow
    arrow1 arrowhea arrows arschloc arschloch arsehole arsena arsenal arsenal0 arsenal1 arsenal123 arsenal2 arsenal7
    arsenal9 arsenalf arsenalfc arshavin arslan art131313 artcast2 artefact artem artem123 artem1992 artem1995
    artem2010 artem777 artemis artemis1 artemka arthur1 artichok artiller artofwar artur aruba arwpls4u arxangel
    as123456 asasin asd123 asd12345 asd123456 asd123asd asd123qwe asd222 asd456 asdas asdasd asdasd12 asdasd123
    asdasd22 asdasdas asddsa asdf asdf12 asdf123 asdf1234 asdf12345 asdf4321 asdf67nm asdfasdf asdfasdf1 asdffdsa
    asdfg asdfg1 asdfg123 asdfg1234 asdfg12345 asdfgh asdfgh01 asdfgh1 asdfgh12 asdfgh123 asdfgh123456 asdfghj
    asdfghj1 asdfghjk asdfghjkl asdfghjkl1 asdfghjkl123 asdfjkl asdfjkl1 asdfjkl; asdflkjh asdfqwer asdfrewq asdfzxcv
    asdqwe asdqwe123 asdzxc asdzxc123 asfnhg66 asgard ashle ashley01 ashley1 ashley11 ashley12 ashley123 ashley19
    ashley24 ashley69 asians asimov aslan asmodean asmodeus aspen aspirant aspire aspirina aspirine ass123 assa1234
    assasin assasins assassin assassins assclown asscock asscrack asseater assembler assface assfuck assfucke asshol
    asshole asshole1 asshole123 asshole2 asshole3 assholes asslicke asslicker asslover assman assmaste assmaster
    assmonke assmunch associat asssss asswipe assword assword1 astalavista astaroth asterios asterix asterix1 asthma
    astonmar astonmartin astonvil astonvilla astra astra123 astral astro astro1 astroboy astroman astros astrovan
    at4gftlw athlon athlon64 athome atlanta atlanta1 atlantida atlantis atlas1 atljhjdf atombomb atomic atreides
    atticus attila auburn auckland2010 audi audi100 audi80 audia4 audia6 audis4 auditt auggie august10 august11
    august12 august15 august16 august17 august20 august22 august24 august25 august29 august31 augustin augusto
    auntjudy aurelie aurelien aurelius aussie austin austin01 austin1 austin11 austin12 austin123 austin31 austin316
    austintx australi australia1 autechre authcode autobahn autocad automati autopas1 autopass avalanch avalanche
    avalon avalon11 avangard avanti avatar avemaria avenger avenger1 aventura avgust aviator avogadro avondale
    avrillavigne avrora avtoritet awdrgyjilp awesome awesome1 awesome123 awesome2 awnyce awo8rx3wa8t axeman axio
    ayanami ayrton az123456 azamat azathoth azazel azert azerty azerty12 azerty123 azertyui azertyuiop azfpc310 azrael
    azsxdc azsxdcfv azsxdcfvgb aztec azteca aztecs aztnm azwebitalia azzer b0ll0cks b12345 b123456 b1234567 b929ezzh
    babe babel babemagn babemagnet baberuth babes babochka baboon babushka baby123 baby1234 baby2000 babybear babyblue
    babyboy babyboy1 babycake babycakes babydoll babyface babygir babygirl babygirl1 babygurl babyhuey babylon
    babylon5 babylon6 babylove babyphat babyruth bacardi bacardi1 bacchus backbone backd00r backdoor backdraf backlash
    backspac backspace backwood bad11bad badabing badaboom badass badboy badboy1 badboy69 badboys baddest baddog
    badger badgers badgirl badgirls badguy badkarma badkitty badlands badman badminto badnaamhere baerchen bagels
    baggies baggins baggins1 baggio baggio10 bagheera bagira bagpipes bagpuss bahamut bailey01 bailey1 bailey10
    bailey11 bailey12 bajingan bajskorv bakayaro baker1 bakesale balalaika balance1 balboa baldeagl baldeagle balder
    baldhead baldrick baldur balefire balla007 balle baller baller23 ballgag ballin balloon balloon1 balloons balls
    balls1 balls123 ballsack ballsdeep ballsout balrog baltika baltimor bama bambam bambino bamboo banaan banaan123
    banan banana banana1 banana12 bananana bananas bananas1 banane banderas banderos bandi bandicoot bandit bandit01
    bandit1 bandit11 bandit12 bang bangalor bangbros banger bangkok bangkok1 banker bankshot banner banshee banshee1
    bantam banzai baphomet baraban barabash barabbas baracuda baraka barakuda baranova barbados barbara1 barbaria
    barbarian barbaris barbaros barbie barbwire barcelon barcelona barclays bareback barefeet barefoot barfly baritone
    barkley barkley1 barks barley barmalei barmaley barnaby barney barney01 barney1 barney11 barney12 barnie baron1
    baronn barrabas barracud barracuda barrage barrakuda barry1 barrynov barselona barsik bartek bartende bartman
    bartman1 bartok baseba11 basebal basebal1 baseball baseball1 baseball11 baseball12 baseball2 baseball3 baseball7
    baseball9 basher basilisk basket basketba basketbal basketball1 bassboat basser basset bassfish basshead bassin
    bassingw bassline bassman bassman1 bassmast bassoon bassplay bastard bastard1 bastardo bastet bastogne bastos
    batgirl batigol batistuta batma batman batman01 batman1 batman11 batman12 batman123 batman13 batman21 batman23
    batman69 batman99 batterie batterse battery1 bauhaus baura bayadera bayern baylee bayliner bayshore baywatch
    bazongaz bazooka bb123456 bball bball1 bbbbbb1 bbbbbb99 bbbbbbb1 bbking bcfields bdfyeirf bdfyjd bdfyjdf bdsm
    beach1 beachboy beachbum beaches beaches1 beagle beaker beaks beamer beanbag beaner beanhead beanie beano002
    beantown bear bear1 bear2327 bearcat bearcat1 bearcats bearclaw beardog beardog1 beardown bears1 bearshar
    bearshare beast beast1 beast123 beast666 beastie beastie1 beater beatle beatles beatles1 beatles4 beautifu
    beautiful1 beauty beaver beaver12 beaver69 beavis beavis1 beavis69 becca beckham beckham23 beckham7 becky1 becool
    bedlam bedrock beebop beech beefcake beeker beeline beemer beer beer1234 beerbong beerman beerme beernuts beethove
    beetle beezer begemot begemotik behappy behemoth beholder belair belgario belgorod belinda1 belinea belize belkin
    bella1 bella123 bellaboo bellaco belladog belladon bellagio belle1 bellevue bellsout bellybut belmont belochka
    beloved1 beluga ben123 bendover benedikt benessere benetton benfica beng bengals bengals1 benhogan benidorm
    benjami benjamin1 benji benladen bennett1 bennevis benny1 bennyboy bentley1 beowulf berbatov beretta bereza
    berezuckiy bergen09 bergerac bergkamp berkut berlin berliner berlingo bermuda1 bernadet bernard1 bernhard berserk
    berserke berserker bertuzzi besiktas bestbuy bestfriend beszoptad bethan bethany1 bettis36 betty1 bettyboo
    bettyboop bettylou beverly1 beyblade beyonce bg6njokf bhbcrf bhbirf bhbyjxrf bhbyrf bhjxrf bian biao biarritz
    biatch biceps bicycle biedronka big1 bigal bigass bigasses bigbad bigballa bigballs bigbang bigbear bigben
    bigberth bigbird bigbird1 bigblack bigblock bigblue bigblue1 bigbob bigboner bigboobs bigbooty bigboss bigboy
    bigboy1 bigboy11 bigboy12 bigbroth bigbubba bigbucks bigbutt bigbutts bigcat bigchief bigcock bigcocks bigd bigdad
    bigdaddy bigdaddy1 bigdave bigdawg bigdick bigdick1 bigdicks bigdog bigdog1 bigdog69 bigdogg bigfella bigfish
    bigfoot bigfoot1 biggdogg biggie biggirl biggirls biggles biggreen biggun bigguns bigguy bighead bighouse bigjim
    bigjoe bigjohn bigjohn1 bigjuggs bigloser bigmac bigmama bigman bigmaxxx bigmike bigmoney bigmouth bignasty
    bignuts bigone bigones bigpapa bigpappa bigpenis bigpimp bigpimpi bigpimpin bigpoppa bigpun bigpussy bigred
    bigred1 bigsexxy bigsexy bigsexy1 bigshow bigsmall bigstick bigstuff bigtime bigtime1 bigtit bigtits bigtits1
    bigtitts bigtitty bigtoe bigtruck bigtymer biguns bigwaves bigwilly bigworm biit biker biker1 bikerboy bikers
    bikini bilbo bilbo1 bilbobag bill1234 billabon billabong billgate billgates billiard billows billy1 billy123
    billyb billybob billyboy billygoa billyjoe billyray bimbo bimmer bing bingbong bingo bingo1 bingo123 binky
    binladen biohazar biohazard bionic bionicle bioshock bird33 birdbath birdcage birddog birdhouse birdie birdie1
    birdland birdman birdman1 birmingh birthday1 birthday10 birthday100 birthday2 birthday21 birthday26 birthday27
    birthday28 birthday299 birthday3 birthday4 birthday5 birthday54 birthday6 biscayne biscuit biscuit1 bisexual
    bismarck bismark bismilah bismilla bismillah bitch bitch1 bitch123 bitchass bitchboy bitchedu bitchedup bitches
    bitches1 bitchs bitchy biteme biteme1 biteme12 biteme69 bizkit bizzare blabla blablabl black1 black123 black666
    blackadd blackass blackbea blackbel blackbelt blackber blackberry blackbir blackbird blackboo blackbox blackboy
    blackbur blackcat blackcoc blackcock blackdic blackdick blackdog blackdra blackdragon blackeye blackfin blackfly
    blackhat blackhaw blackhawk blackhea blackheart blackhol blackhole blackhorse blackice blackie blackie1 blackjac
    blackjack blacklab blackmag blackmen blackmetal blackmor blackone blackops blackout blackpoo blackpus blackros
    blackrose blacks blacksab blacksex blackshe blacksta blackstar blacksun blacktop blackwhite blackwid blackwoo
    blacky blade blade1 blade123 blade2 blademan bladerun bladerunner blades blahblah blaise blake1 blam blanked
    blankman blaster blaster1 blasters blastoff blaze blaze1 blaze420 blazer blazers bleach bleacher blender blenheim
    blessed blessed1 blessing blessyou blindax blindman blingbli blingbling blink18 blink182 blinky blitz blizzard
    blobby blockbus bloembol bloke blonde blondes blondie blondie1 blondinka blonds blondy blood123 blood666 bloodlus
    bloodlust bloodred bloods bloomin bloopers blower blowfish blowjob blowjob1 blowjob69 blowjobs blowme blowme1
    blowme69 bltynbabrfwbz blubber blue blue1 blue11 blue12 blue123 blue1234 blue2000 blue22 blue23 blue32 blue42
    blue44 blue69 blue99 bluearmy blueball blueballs bluebear bluebell blueberr bluebird blueboy blueboys bluedevi
    bluedevil bluedevils bluedog bluedog1 bluedragon blueduck blueeyes bluefire bluefish bluegill bluegras bluejay
    bluejay1 bluejays bluejean bluelight blueline blueman bluemoon bluenose bluenote blueroom bluerose blues blues1
    blueskie bluesky bluesky1 bluesman bluestar bluetick bluewate bluewave blumpkin blunt420 blunted blunts bmw2002
    bmw318 bmw318is bmw320 bmw325 bmw325is bmw330ci bmw525 bmw750il boarder boater boating boating1 bob123 bob12345
    bobafett bobber bobbobbo bobby1 bobby123 bobbybob bobbyboy bobbyjoe bobbyorr bobbys bobcat bobcat12 bobcats
    bobdole bobdylan bobert bobjones bobmarle bobmarley bobo1234 bobolink bobsmith bocephus bodiroga bodybuil bodyhamm
    bodyshop boeing boeing74 boeing77 bogart bogdan bogdan123 bogdanova bogey boggie bogota bohica boiler boilerma
    boing747 boingo bojangle bolero bolitas boliva bolivi bollocks bollox bologna bologna1 bombadil bombay bomber
    bomberman bombers bombshel bonanza bonapart bond0007 bond007 bond9007 bondage bondage1 bondarenko bondra12
    bonefish bonehead boner boners bones bones1 bonethug bonethugs boneyard bonghit bonghits bongo bongtoke bongwater
    bonjour bonjour1 bonjovi bonkers bonkers1 bonnie1 bonoedge bonovox bonsai bonscott bonzai bonzo boob boobear
    boobear1 boobed boober boobie boobies boobies1 boobies2 boobless booboo booboo1 booboo11 booboo12 booboo69 boobs
    boogaloo booger booger1 boogers boogie boogiema boognish boogyman boohoo bookcase bookie bookmark bookworm
    boomboom boomer boomer1 boomer12 boomer22 boomtown boondock booper booster booster1 bootcamp booter bootie booties
    bootleg bootmort bootneck boots boots1 bootsie bootsman bootsy booty booty1 bootycal bootycall bootyman bootys
    booyah boozer bopper borabora bordeaux boredboi4u boricua boris1 boris123 borisenko borisova bornfree borntorun
    boroda borodina boromir borracho borussia bosco bosco1 bosco123 boscoe01 boss302 bosshog bosshogg bosslady bossman
    bosstone boston boston1 boston11 boston12 botafogo bouboule boulder bounce bouncer bounty bowhunte bowhunter
    bowl300 bowler bowling bowling1 bowling3 bowtie bowwow boxcar boxer boxers boxing boxster boxster1 boxter
    boy4u2ownnyc boyscout boytoy boywonde boyz bozo bp2002 bpgjldsgjldthnf br00klyn br0d3r br1ttany br549 brabus
    bradley1 bradpitt braindea bramble branden1 brandnew brando brandon0 brandon00 brandon1 brandon2 brandon3 brandon6
    brandon7 brandon8 brandy brandy1 brandy12 branford brasil brasilia bravehea braveheart braves braves1 braves10
    braves95 bravo1 brazil brazzers breadfan breadman breakdance breaker breaker1 breakers breakfas breast breasts
    breeze breezy brehznev breitlin bremen brenda1 brenda69 brendan1 brenden brennan1 brent1 brentfor brentwoo brest
    bretagne brethart brett123 brewcrew bri5kev6 brian1 brian123 brianna1 brians bricks bridget1 briefs brigada
    brighton brillian brillo021 brimston bringiton bristol bristol1 britania britney britney1 britneys brittany1
    brodie broker bronco bronco1 broncos broncos1 broncos2 broncos7 broodwar brooklyn brooklyn1 brooksie brother1
    brother2 brown1 browncow browndog browneye browneyes brownie brownie1 brownlov browns browns99 browseui bruce1
    bruce123 brucelee brucewayne bruins bruins77 bruiser bruiser1 bruno1 bruno123 brunodog brunswic brutis brutus
    brutus1 bryan1 bryan123 bsheep75 bubba bubba1 bubba123 bubba2 bubba69 bubbaa bubbabub bubbadog bubbaman bubbas
    bubble bubblebox bubblegu bubblegum bubbles bubbles1 bubbles2 buccanee buceta bucker bucket buckeye buckeye1
    buckeyes buckfast buckshot buckskin buckster buckwhea buckwheat buckwild bucky budapest buddah buddha buddha1
    buddie buddy buddy1 buddy123 buddy2 buddyboy buddycat buddydog buddylee buddys budgie budlight budlite budman
    budweise budweiser budwiser buffa buffalo buffalo1 buffalos buffer buffet buffett buffett1 buffy1 buffy123
    buffy1ma buffys bugatti bugger buggy bugman bugmenot bugsbunn bugsbunny bugssgub buhjvfybz buick builder bujhm123
    bujhmbujhm bukkake bukowski buldozer bulgakov bull bulldawg bulldog bulldog1 bulldog2 bulldog5 bulldog7 bulldogg
    bulldogs bullet bullfrog bullhead bullit bullnuts bullride bulls bulls1 bulls123 bulls23 bullseye bullshit
    bullwink bullyboy bumble bumblebe bumblebee bumerang bummer bumper bungalow bunghole bungle bunnie bunnies
    bunnies1 bunny bunny1 bunny123 bunnyman bunnys buratino burberry burger burlpony burltree burly burner burnout
    burrfoot burrito burrito1 burton12 burunduk busdrive bushed bushel bushido bushmast bushwack bushwick businessbabe
    businka bustanut buste buster buster01 buster1 buster11 buster12 buster123 buster21 buster22 buster69 buster88
    buster99 bustle busty butch butch1 butchie butchy buterfly butkus butter butter11 butterba butterbean buttercu
    buttercup butterfl butterfly butterfly1 buttface buttfuck butthead butthole buttlove buttman buttmunc buttmunch
    buttnutt buttocks buttons buttons1 buttplug buzzard buzzer buzzkill buzzword bvgthfnjh byabybnb byajhvfnbrf
    bycnbnen bynthytn byrjuybnj byteme c0l0rad0 c0rvette c2h5oh c32649135 c3por2d2 c43dae874d c43qpul5rz cab4ma99
    caballer cabbage cabbages cabernet cabibble cabinboy cabledog cableguy cableman caboose cabowabo cabron cacapipi
    cachondo cachorro cactus caddy cadillac cadman cadr14nu caesar cafc91 caffreys cahek0980 caitlin1 cajun calamity
    calavera calbears caleb123 calgary calgary1 cali calibra calico caliente californ californi california1 caligula
    calimero calliope callista callisto callofduty callum calvin1 calvin69 calypso camaleon camaleun camaro camaro1
    camaro67 camaro69 camaross camaroz2 camaroz28 camber cambiami cambridg camden came11 camel camel1 camel123
    cameleon camelot camelot1 camels cameltoe camero camero1 cameron cameron0 cameron1 cameron2 cameron7 camil
    camilla1 camille1 camilo camino camneely camp0017 camper campus100 canada canada1 canada12 canada99 canadien
    canaries canary cancer cancun candies candle candlebo candy1 candy123 candyass candybar candycan candycane
    candyman candys canesfan cang canine cannabis cannelle cannibal cannibus cannonba cannonda cannondale canon canon1
    canoneos cantona cantona1 cantona7 cantstop canuck canucks canucks1 capcom capecod capetown capital1 capital5
    capitals capoeira capone capri capricor capricorn capslock captain captain1 captain2 captaink car123 car12345
    caracas carajo caralho caramba caramel caramelo caravan cardigan cardinal care1839 carebear carefree carla123
    carling carlito carlitos carlos1 carlos12 carlos123 carlsbad carlsberg carlton1 carme carmen1 carmex2 carnage
    carnival carol1 carolcox carolina carolina1 caroline1 carolyn1 carpedie carpediem carpente carpet carrera carrera4
    carrot carrots carsten cartagen carter1 carter12 carter15 carter80 carthage cartman cartman1 cartman2 cartoon
    cartoons carwash carwash1 casablan casablanca casanova caserta casey1 casey123 caseyboy caseydog cashew cashflow
    cashmone cashmoney casino casio caspe casper casper1 casper12 casper123 casper99 cassandr cassidy1 cassie cassie1
    cassie12 cassiope cassius castaway caster cat123 catalin catch22 catcher catdaddy catdog caterham caterpil
    catfight catfish catfish1 catfood catherin cathouse catinhat catlover catman catmando catnip cats catsdogs
    catsmeow catter catwoman caution1 cavalier caveman caveman1 cavscout cayenne cayman cazzo cazzone cbarkley
    cbljhjdf cbljhtyrj cbr600 cbr600f3 cbr600f4 cbr600rr cbr900 cbr900rr cbr929rr cbufhtnf ccbill cccccc1 ccccccc1
    cde34rfv cdexswzaq cdtnbr cdtnjxrf cdtnkfyf cdtnkfyrf cdtnkzxjr cdznjckfd ceasar ceaser cecilia1 ceckbr cegthgegth
    cegthgfhjkm ceisi123 celeb celebrat celebrit celeron celeste1 celestia celica celicagt celine cellphon cellphone
    celtic celtic1888 celtic67 celtic88 celticfc celtics celtics1 cement ceng centauri central1 centrino centurion
    cepseoun cerber cerberus cerebus cerulean cerveza cesare cessna cessna15 cessna17 cessna172 cevthrb cezer121
    cfiekmrf cfiekz cfitymrf cfkfvfylhf cfvceyu cfvlehfr cgfhnfr cghfdjxybr cgtwbfkbcn ch1tt1ck chacal chachi chaching
    chai chainsaw challeng chamberl chameleo chamonix champ champ1 champ123 champagn champion champs chance1 change12
    changeit changeme changeme1 changepa chango channel1 chantal1 chao chaos chaos1 chaos666 chaparra chappy chapstic
    characte charger charger1 chargers chargers1 charisma charl charle charles0 charles1 charles2 charles3 charless
    charlest charli charlie charlie0 charlie1 charlie123 charlie2 charlie3 charlie4 charlie5 charlie6 charlie7
    charlie8 charlie9 charlieb charliem charlies charlize charlott charlton charly charmed charmed1 charon chase1
    chase123 chaser cheater cheburashka checker checkers checkit checkito checkmat cheddar cheeba cheech cheeks cheeky
    cheerios cheerlea cheerleaers cheers chees cheese cheese1 cheese12 cheeseca cheetah cheetah1 chelle chelse chelsea
    chelsea0 chelsea1 chelsea2 chelsea3 chelsea4 chelsea5 chelsea6 chelsea7 chelsea8 chelseaf chelseafc chemist
    chemistr cherokee cherries cherry cherry1 cherry12 cherrypi cheshire chessie chessman chessmas chessmaster cheste
    chester chester1 chester2 chester3 chester7 chester8 chesters chesty chevelle chevrole chevrolet chevy chevy1
    chevy2 chevy350 chevy454 chevyman chevys chevys10 chevytru chevyz71 chewbaca chewbacc chewbacca chewey chewie
    chewy chewy1 cheyanne cheyenne cheyenne1 chgobndg chiara chibears chicago chicago0 chicago1 chicago2 chicago3
    chicago5 chicago7 chicago9 chicco chicco22 chichi chicken chicken0 chicken1 chicken123 chicken2 chicken6 chickens
    chickenwing101 chicklet chicks chico chico1 chico123 chief1 chief123 chiefs chihuahu chiks chilango children2
    chilidog chilli chillin chillout chilly chimaera chimaira chimera china1 chinacat chinadol chinaman chinaski
    chinatow chinchil chinese1 chingada chingon chino chinook chipmonk chipmunk chipper chipper1 chippers chippy
    chipster chisox chitarra chitown chivas chloe1 chloe123 chobits chocha choclate chocobo chocolat chocolate1 chooch
    choochoo chopin chopper chopper1 choppers chopsuey chou chowder chris1 chris100 chris12 chris123 chris2 chris200
    chris999 chrisb chrisbln chrisbrown chrisrey chriss chrissie chrissy chrissy1 christ christ1 christa1 christer
    christi1 christia christiaan christian1 christin christma christo christo1 christof christop christophe
    christopher1 christos christy1 chrome chronic chronic1 chrono chronos chrysler chuai chuan chuang chubby chucha
    chuck1 chuck123 chuckie chuckie1 chuckles chucky chui chuluthu chunky chuo churchil ciccio ciccione cicero
    cidkid86 cigarett cigars cimbom cincinna cinder cinderel cindy1 cindylou cingular cinnamon cipher cirrus cisco1
    cisco123 ciscokid citadel citibank citroen citron citrus civicsi civilwar cjdthitycndj cjkysirj cjkywt cjrjkjdf
    cjxb2014 cjytxrf ck6znp42 ckfdbr clambake clancy clapton clapton1 clarinet clarisse clarkken clarkkent classact
    classic classic1 classics claudi claudia1 claybird claymore clayton1 clearwat clemence clemson clemson1 cleopatr
    clevelan cliffy climax climber clinton1 clipper clipper1 clippers clips clit clitlick clitoris clitring clockwor
    cloggy close-up closeup cloud9 clouds cloudy clover clovis clownboy clowns clubpenguin clutch clyde1 cmu9ggzh
    cneltyn cnfkrth cnfnbcnbrf cnfybckfd cnhfyybr cnhjbntkm cnhtrjpf cnjvfnjkju cntgfirf cntgfy cntgfyjdf coach1
    cobain cobalt cobblers cobra cobra1 cobra123 cobra427 cobra777 cobrajet cobras cobraya cocacol cocacola cocacola1
    cocaine cochise cock cocker cockgobbler cockring cocks cocksuck cocksucker cocoloco coconut cocopuff cocorico
    codeblue codered codered1 coffee coffee1 coffee11 coffee12 coffees cohiba coke cokeisit cola coldbeer coldfire
    coldplay colegiata coleman1 colin123 collants collect1 collecti collecto colleen1 college1 collie collingw
    collins1 colnago colole57 colombi colombia colorado colors colossus colt1911 colt45 coltrane columbo comanche
    comander combat123654 comcast comcast1 comein comeon comet comets comfort1 comicbook comicbookdb comicbooks
    comicsans command1 command2 commande commando commodor communit compaq compaq1 compaq12 compaq123 compass compass1
    computador computadora compute compute1 computer computer1 conan conan1 concord concorde concordi concrete
    conditio condom condor conducto conehead confiden cong conker conman connect connect1 connecte connecti connor
    connor11 connor12 consense constanc construc consulta consumer containe contortionist contour contra contrasena
    contrera control1 control2 coochie cooker cooki cookie cookie1 cookie11 cookie12 cookie123 cookie13 cookie59
    cookies cookies1 cooking1 cool1 cool12 cool123 cool1234 coolbean coolbeans coolboy coolbree coolcat cooldude
    cooler coolfool coolgirl coolguy coolguy1 coolhand coolio coolman coolman1 coolness coolone coolwhip cooper1
    cooper11 cooper12 coors coorslig coorslight coorslit cooter copenhag copernic copper copper1 corazo core2duo
    corgan corleone cornbrea cornbread corndog corneliu cornell1 cornflak cornhole cornholi cornholio cornhusk corolla
    corona corperfmonsy corporat corpsman corrado corrado1 corsair corsair1 corsica cortina cortland corvet07 corvett
    corvett1 corvette corvette1 cosmic cosmo cosmo1 cosmo123 cosmodog cosmos costaric costarica cosworth cottage1
    cougar cougars cougars1 counchac countach counter1 counterstrike country1 countryb countyli courtney1 cousteau
    coventry covingto cowabung cowboy cowboy1 cowboy12 cowboy22 cowboys cowboys0 cowboys1 cowboys2 cowboyup cowgirl
    cowman coyote cptnz062 cqub6553 crabcake cracker cracker1 crackhea crackhead cracksevi crafty craig123 cramps
    cranberr crappie crash1 craving crawfish crayfish crayon crazy1 crazy123 crazybab crazyboy crazycat crazyfrog
    crazyman crazyzil creampie creamy creamyou creatine creativ1 creative creative1 creeper creepers creosote crescent
    cressida cretin crevette crevice crfprf cribbage cricket cricket1 crickett crimson crimson1 crippler crispy
    cristiano critter critter1 critters crjhgbjy crjhjcnm crocodil cronaldo cronic crossfir crossroa croucher crowbar
    crownvic cruise cruiser cruiser1 crumbs crunch crunchy crusader crusher crusty cruzazul crysis crystal0 crystal1
    crystal2 crystal7 csfbr5yy csyekmrf csyekz csyjxtr ctdfcnjgjkm cthtuf cthulhu cthulhu1 cthutq cthuttdbx cthuttdf
    cthuttdyf ctrhtn ctrhtnyj ctvtyjdf cuan cubalibr cubalibre cubano cubbies cubbies1 cubs cubswin cubswin1 cucciolo
    cucumber cuddles cuddles1 cueball cuervo culinary cumberla cumeater cumlover cumm cummer cumming cumonme cumshot
    cumshot1 cumshots cumslut cumsucker cunningh cunt cuntfinger cunthole cuntlick cunts cuntsoup cupcake cupcake1
    cupoi curious curious1 curitiba currahee custard custom cutegirl cutiepie cutlass cutlass1 cutter cvbhyjd cvbhyjdf
    cvthnm cvtifhbrb cvzefh1gk cvzefh1gkc cwoui cxfcnkbdfz cxfcnmt cxfcnmttcnm cxzdsaewq cyber cyberman cybernet
    cyberonline cybersex cyborg cyclone cyclone1 cyclones cyclops cyclops1 cyecvevhbr cygnus cygnusx1 cyjdsvujljv
    cynthia1 cypher cypress cypress1 cyrano cytuehjxrf cytujdbr czekolada d12345 d123456 d1234567 d1i2m3a4 d1lakiss
    d78unhxq dabears dabl1125 dabomb dabulls dad2ownu daddy1 daddy123 daddymac daddyo daddys daddysgirl daedalus
    daemon daewoo daffodil daffy daffyduc daffyduck daftpunk dagestan dagger dagobert daisy1 daisy123 daisy3112
    daisydog daisymae daisymay dakine dakota dakota01 dakota1 dakota12 dakota99 dale03 dalejr dalejr8 dalejr88
    dalglish dallas dallas01 dallas1 dallas11 dallas12 dallas21 dallas22 dallastx dalmatio dalshe damage11 damager
    daman damilola dammit damned69 damngood damnit damocles dan123 dance1 dance123 dancer dancer1 dandelio dandelion
    dandfa dang danger dangerou danie daniel01 daniel1 daniel10 daniel11 daniel12 daniel123 daniel20 daniel21 daniel26
    daniela1 danielit danielle1 daniil danijela danil danil8098 danila danilka danilova dank danman danmark danni
    danniash danny001 danny1 danny123 dannyboy dannym88 dante1 dante123 dantes danthema dantheman danzig dapper
    dapzu455 daredevi daredevil darian darina darkange darkangel darkelf darkfire darkhors darkjedi darkknig
    darkknight darklord darkmage darkman darkmanx darkmoon darknes darkness darkness1 darknigh darknight darknite
    darkone darkseed darkside darksoul darkstar darkwing darkwolf darling1 darth darthmau darthmaul darthvad
    darthvader dartmout dasani dasha dasha123 dasha2010 dashadasha dashenka dashka datalife datalore datnigga datsun
    dave123 dave1234 davecole daveyboy david1 david12 david123 david2 david777 davidb davidc davidd davide davidj
    davidkin davidlee davidoff davidruiz davids davinchi davinci davis1 dawg dawgs dawgs1 dawns daydream daytek
    daytona daytona1 daywalker dazzle dbjktnnf dbm123dm dbnfkbq dbnfkbr dbnfkz dbrecz dbrnjh dbrnjhbz dbrnjhjdbx
    dbrnjhjdyf dbyjuhfl dcowboys dctdjkjl dctktyyfz dctvcjcfnm dctvgbplf dctvghbdf dctvghbdtn dcunited ddddd1 dddddd1
    ddddddd1 de1987ma deadfish deadhead deadlift deadlock deadman deadman1 deadmau5 deadmeat deadmoin deadpool
    deadsexy deadsoul deadspin deadwood deadzone death1 death123 death666 deathnote deathrow deathsta deathstar
    debbie1 debbie69 deborah1 debugger december1 decembre decimal deejay deepak deepblue deepdive deeppurple deepthro
    deepthroat deepwate deerhunt deerhunter deerpark deeznuts deeznutz default default1 defcon defender defiant
    defiant1 deflep27 deftones deicide dejavu delasoul delboy delerium delete delfin deliciou delight delorean delphi
    delphin delpiero delsol delta delta1 delta123 deltachi deltaforce deltaone deltas deltasig deluxe demetrio
    demetriu demo demon1 demon123 demon666 den12345 denali deng deniro denis1 denis123 denis1984 denis1988 denis2011
    deniska denman85 denni dennis1 dennis12 depeche depeche1 depechemode derevo derf derparol derrick1 derrickh
    desdemon desember desert designer desire deskjet deskjet1 desktop desperad desperado desperados destin destinee
    destiny destiny1 destiny2 destiny7 destroye detectiv dethklok detroit detroit1 deuce deutsch deutschl deutschland
    devil devil1 devil123 devil666 devilboy devildog devildriver devilish devilman devilmay devilmaycry devilmaycry4
    devils devils1 devo devo2706 devochka dewalt dexter dezember dfcbkbcf dfcbkbq dfcbkmtd dfcbkmtdf dfghjc dfhdfhf
    dfkmltvfh dfkmrbhbz dfkthbz dfkthf dfktynby dfktynbyf dfktynbyrf dfnheirf dfvgbh dfyjdf846 dfytxrf dgl70460 dharma
    dhjnvytyjub diabl diablo diablo1 diablo11 diablo2 diablo23 diablo66 diablo666 diablo69 diabolic diabolik dialog
    diamant diamante diamon diamond diamond0 diamond1 diamond2 diamond3 diamond4 diamond6 diamond7 diamondb diamondd
    diamonds diana1 diana123 dianochka diao diapason diaper diciembr dick dick1 dicker dickface dickhead dickie
    dickless dicklick dicks dickster dicksuck dickweed dicky dictiona diddle didier diego123 diehard diesel diesirae
    dietcoke dieter differen digger diggler digimon digital digital1 digital2 digitalprodu digiview dignity7 dilbert
    dilbert1 dildo dildos dilligaf dilligas dillinge dillweed dima dima123 dima1234 dima12345 dima1985 dima1989
    dima1990 dima1991 dima1992 dima1993 dima1994 dima1995 dima1996 dima1997 dima1998 dima1999 dima2000 dima2009
    dima2010 dima55 dimabilan dimanche dimas dimasik dimebag dimedrol dimensio dimidrol dimitri dimitris dimochka
    dimon4ik dimples dinamite dinamo dinara dindom dinero ding dingbat dingdong dingo dingo1 dinmamma dinosaur
    dinsdale diogenes dionysus diosesamo dipascuc dipper dipset dipshit dipstick direktor direwolf dirkpitt dirtbag
    dirtball dirtbike dirty1 dirtybir dirtyboy dirtydog dirtygirl dirtyman discgolf disco discover discus diskette
    disney disney1 disturbe diva divedeep diver diver1 divers diversio divine divx1 dixie1 dixiedog django djdjxrf
    djg4bb4b djgabbab djkjlz djkrjlfd djkujuhfl djtiesto dkflbckfd dkflbdjcnjr dkflbr dkflbvbh dkflbvbhjdbx
    dkflbvbhjdyf dkjfghdk dm6tzsgp dmband dmfxhkju dmitriev dmitriy dmitry dnsadm dobber doberman doctor doctorwh
    dodge1 dodger dodgeram dodgers dodgers1 dodges dodgeviper dog123 dogballs dogbert dogbert1 dogbone dogboy dogbreat
    dogbreath dogcat dogface dogfart dogfight dogfood dogg dogger dogggg doggie doggies doggone doggy doggy1 doggy123
    doggydog doggys doggysty doggystyle doghouse doglover dogma dogman dogmeat dogphil3650 dogpound dogs dogshit
    dogstyle dogwood dohcvtec doit doitnow dokken doktor dolemit1 dolemite dolittle dollar dollarbi dollface dolly1
    dolomite dolphi dolphin dolphin1 dolphin2 dolphin9 dolphins dolphins1 doma77ns domainlock2005 domenico dominati
    dominator domini dominic1 dominik dominika dominion dominiqu domino domodedovo donald1 donaldduck donatello
    donjuan donkey donkey1 donkeykong donna1 donna123 donner dont4get dontcare dontdoit dontforg dontgotm donthate
    dontknow donttell donuts doobie doodah doodie doodle doodlebu doodles doofus doogie dookie doomsday doorknob
    dopehead doraemon doromich dorothee dorothy1 dortmund dotcom dothedew doubled douche dougal doughboy dougie
    douglas1 dovetail dowjones downhill downunde draco draconis dracula dracula1 drag0n drago dragon dragon00 dragon01
    dragon05 dragon1 dragon10 dragon11 dragon12 dragon123 dragon13 dragon19 dragon20 dragon21 dragon22 dragon23
    dragon25 dragon33 dragon64 dragon66 dragon666 dragon69 dragon7 dragon76 dragon77 dragon88 dragon98 dragon99
    dragonage dragonba dragonball dragonballz dragonfi dragonfire dragonfl dragonfly dragonla dragonma dragons
    dragons1 dragonss dragonz dragoon dragoon1 dragrace dragstar dragster drakon draven dream1 dreamcas dreamcast
    dreamer dreamer1 dreamer2 dreamers dreamgirl dreams dresden dressage drevil drifter driller drinker driver drizzt
    drjynfrnt dro8smwq droopy dropdead dropkick dropzone drowssap drpepper drstrang druid drumandbass drumline drummer
    drummer1 drummers drumnbass drywall ds7zamnw dshade dsobwick dtcyeirf dtheyxbr dthjybrf dthjybxrf dthyjcnm
    dtkjcbgtl dtxyjcnm duan dublin ducati ducati74 ducati99 duchess duchess1 duck duckhunt duckie duckling duckman
    duckpond ducks ducksoup ducky ducttape dude123 dude1234 dude1998 dudelove dudeman duffbeer duffer duffman dukeblue
    dukenuke dukenukem dukester dumbass dumbass1 dumbfuck duncan21 dundee dune2000 dungeon dunhill dupont24 duracell
    durandal durango durango1 duster dustin23 dusty1 dusty123 dusty197 dustydog dutchess dutchman dvader dylan1
    dylandog dynamite dynamo dynastar dynomite dzxtckfd eae21157 eagle eagle1 eagle123 eagle2 eagleeye eagleman
    eagleone eagles eagles05 eagles1 eagles11 eagles12 eagles20 earlgrey earnhard earthlin earthlink eastern1 eastside
    eastwest eastwood easy1234 easypass easypay easyride eatme eatme1 eatme2 eatme69 eatmenow eatmeraw eatmyass
    eatpussy eatshit eatshit1 ebony1 eclipse eclipse1 eclipse2 eclipse9 economia edcrfv edcwsxqaz eddie1 eddie123
    eddie666 edelweis edgewise edgewood edinburg edthom eduard eduardo1 educatio edward1 edward11 edward12 edwards1
    edwardss eeeeeee1 eeyore efbcapa201 egghead eggman eggplant egorka egorov eight8 eight888 eightbal eightball
    einstein eintrach eintritt ejaculation ekaterina ekaterina20 ekilpool eklhigcz ekmzyf el345612 el546218 elaine22
    elbereth elcamino eldiablo eldorado eldritch eleanor1 electra electra1 electric electro electron elefant elefante
    elektra elektrik element element1 elementa elena123 elena1971 elena2010 elenberg elephant elephant1 eleven11
    elfquest elfstone elgato elisabet elite1 elizabet elizabeth1 elizaveta ellehcim elliott1 elmer251 elodie elpaso
    elrond elvira26 elvis1 elvis123 elvisp elway elway7 emachine emachines emanuela emanuele embalmer emerald emerald1
    emergenc emerson1 emili emiliano emily1 emily123 emilyann emine eminem eminem12 emmajane emmitt22 empire empire1
    empire11 empires emyeuanh enamorad encore ender endymion energize energizer energy12 enforcer engage engineer
    england1 english1 enigma enlighte enolagay enrico enrique1 enron714 enter enter1 enter123 enterme enternow
    enterpri enterprise entertai entropy envision epaulson epervier epiphone episode1 epsilon epsilon1 epson equinox
    eragon eraser erasmus erasure erection ereiamjh erfolg eric1 eric1234 erica1 ericsson erotic erotica escaflowne
    escalade escher escorpio escorpion escort eskimo esmerald espana esperanz espresso esprit esquire essayons
    essendon estefani estoppel estrell estrellit eternal eternal1 eternity ethan1 ethernet euclid euclid90 euphoria
    eureka euro2000 eurocard euroline europa eus1sue1 evanescence evangeli evangelion evenflow everclea everest
    everest1 evergree everlast everlong evermore everques everquest everton everton1 evertonf everythi evgenii evgeniy
    evgeniya evil666 evildead evilone evolutio excalibe excaliber excalibu excalibur excellen excelsio excite exclusiv
    executiv executor exigen exigent exodus exotic expediti exploite exploiter explore1 explorer explorer1 express
    express1 express2 extensa extra300 extra330 extreme extreme1 eybdthcbntn eyeball eyecandy f**k f00tball f14tomcat
    f15eagle f1f2f3f4 f22raptor f8yruxoj fabia fabie fabienn fabienne fabio fabiol fabolous fabregas fabric facefuck
    facial faggot fahjlbnf failsafe fairchil fairfiel fairlady fairlane fairmont fairview fairway faisal faith1
    faith123 fakepass falcon falcon01 falcon1 falcon11 falcon12 falcon16 falcon69 falcons falcons1 fallen fallenangel
    fallengun fallout fallout1 fallout2 fallout3 falloutboy falstaff famil famili familia family01 family1 familyguy
    fanatic fandango fang fantasia fantasma fantasti fantasy fantasy1 fantasy7 fantom fantomas fantomen faraon farcry
    farfalla farida farmboy farscape farside farside1 fart farter fartface fartman fartripper fastback fastball
    fastcar fastcars fastdraw faster fastfood fastlane fatal1ty fatass fatbitch fatboy fatcat fatdaddy fatgirls
    fathead fathead1 fatluvr69 fatman fatpussy fatty favorite2 favorite3 favorite4 favorite5 favorite6 favorite7
    favorite8 fbi11213 fcbarcelona fcbayern fcc5nky2 fduecn feanor fearless feather feather1 feathers federica fedorov
    fedorova feeder feedme feelgood fefolico feldspar felicia1 felicida felicidade feline felix1 felix123 felixxxx
    fellatio fellowes femmes fender fender1 fender12 fenerbahce feng fengshui feniks fenix fenomeno fenris fenway
    ferdinan fergie fergus ferien12 fernand ferndale ferrar ferrari ferrari1 ferrari2 ferrari3 ferrari5 ferraris
    ferret fester festus fetish fetish01 fetish69 fettish feuerweh feuerwehr feyenoor feyenoord fffffff1 ffvdj474
    fgdfgdfg fghtkm fgjrfkbgcbc fgtkmcby fhbyjxrf fhctybq fhnehxbr fhntv1998 fhntvrf fhutynbyf fhvfutljy fialka
    fibonacci ficken ficktjuv fiction6 fiction7 fiddle fidelio fidelity fidodido fiesta fietsbel fifa2008 fifa2010
    fifa2011 figaro fightclu fightclub fighter fighter1 fighting54 filatova filibert filimon filippo filmstar filter
    finalfan finalfantasy finance1 financia finder finger finnland fire fire1 fire1234 fireball firebird fireblad
    fireblade firedawg firedept firedog firefigh firefighter firefly firefly1 firefox firehawk firehose firehous
    fireman fireman1 firenze fireplug firestar firestarter fireston firestor firestorm firetruc firetruck firewall
    firewire firework first1 firstone firstone123 firstson firsttim fish fish1234 fishbait fishbone fishcake fisherma
    fisherman fishes fishface fishfood fishhead fishhook fishin fishing fishing1 fishlips fishon fishpond fishtank
    fishy fister fistfuck fisting fitness fitness1 fitter fitzgera fiveiron fivestar fjnq8915 fk8bhydb fkbyf001
    fkbyjxrf fkbyrf fkg7h4f3v6 fkmnthyfnbdf fkojn6gb fkrjujkbr fktdnbyf fktif6115 fktrcfyl fktrcfylh fktrcfylh1
    fktrcfylhf fktrcfylhjd fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf fktrcfylth fktrctq fktrcttd fktrcttdf fktyeirf
    fktyjxrf fktyrf flameboy flamengo flames flamingo flange flanker flapjack flapper flash flash1 flash123 flashbac
    flasher flashman flashnet flatbush flathead flatland flatline flatron flatron1 fleetwoo fleshbot fletch flexible
    flexscan flhtyfkby flicks flimflam flintsto flintstone flipflop flipmode flipper flipper1 flippy flipside floppy
    florenci florian florian1 florida florida1 florida2 flossy flounder flowe flower flower1 flower12 flower2 flowers1
    floyd1 flubber fluff fluffy fluffy1 flvbybcnhfnjh flyboy flyer flyers flyers1 flyers88 flyers99 flyfish flyfishi
    flyguy flyvholm flywheel fm12mn12 fmale fnkfynblf focus1 foghorn foiegras fokker followme fomoco foobar foofight
    footbal footbal1 football football1 football12 football123 football2 foothill footjob footlong footlove footman
    footslav forall forbidde force1 ford9402 fordf150 fordf250 fordf350 fordfocus fordgt40 fordtruc fordtruck foreplay
    foreskin forest forest11 forest99 foreve forever forever1 forever21 forfun forgetit forgetme forgotit forgotte
    forklift forlife formatters forme formula formula1 forrest1 forsaken fortknox fortuna fortunat fortune1 fortune12
    fortytwo forumwp forward1 foryou forzaroma fossil fosters fotograf foucault foundati four20 fourkids fourplay
    fourstar foxcg33 foxfire foxglove foxhound foxmulder foxtrot foxtrot1 foxwoods foxy foxylady foxyroxy fozzie
    fractals fraggle franc france98 frances1 francesc franchis franci francis1 francisc frank1 frank123 frankfur
    franki frankie1 franky frdfhbev frdfkfyu fre_ak8yj freakboy freakout freaks freaksho freakshow freaky freckles
    fred1 fred123 fred1234 fredderf freddie1 freddy freddy1 freddy12 frederik frederiksberg fredonia free4all freebird
    freecell freeclus freedo freedom freedom0 freedom1 freedom2 freedom3 freedom4 freedom5 freedom7 freedom8 freedom9
    freee freefall freehand freelanc freelove freemail freeman1 freeme freeones freepass freeporn freeport freeride
    freesex freespace freestuff freestyl freetime freeuser freeway freeway1 freewill freiheit fremont frenchfr
    frenchie frenchy frequenc fresh1 fresno frfltvbz friday friday1 friday13 fridolin friedric friends1 friendste
    friendster fright frisbee frisco frisky fritz1 frodo frodo1 frog frogger frogger1 froggie froggies froggy froglegs
    frogman frogman1 frogs froinlaven fromhell fromvermine front242 frontera frontier frontosa frosch frost1996
    frostbit frosty frozenfish fruitbat fruitcak fruity fsd9shtyu fsunoles fubar fubar1 fubar123 fucing fuck fuck0ff
    fuck1 fuck123 fuck1234 fuck69 fuck_inside fuckall fucke fucked fuckedup fuckem fucker fucker1 fucker11 fucker12
    fucker69 fuckers fuckface fuckfest fuckgirl fuckhard fuckhead fuckher fuckhole fucking fucking1 fuckinside fuckit
    fuckitall fucklife fucklove fuckm fuckme fuckme1 fuckme2 fuckme69 fuckmeha fuckmehard fuckmeno fuckmenow fuckmyass
    fuckmylife fucknuts fuckof fuckoff fuckoff1 fuckoff2 fuckshit fuckslut fuckthat fuckthem fuckthemall fucktheworld
    fuckthis fucku fucku2 fuckuall fuckup fuckyeah fuckyo fuckyou fuckyou! fuckyou0 fuckyou1 fuckyou12 fuckyou123
    fuckyou2 fuckyou6 fuckyou69 fuckyou7 fuckyou8 fuckyoubitch fuckyouguys fucmy69 fufnfrhbcnb fugazi fuhrfzgc
    fujifilm fujitsu fuking fulcrum fulham fulhamfc fullback fullhous fullmetal fullmoon fullsail fumanchu fun4me
    funfunfu fungus funhouse funkster funky funky1 funny1 funnyguy funnyman funstuff funtik funtime funtime1 funtimes
    furball furelise furnitur fusion fussball futbol futurama futyn007 fuzzball fuzzy fuzzy1 fvcnthlfv fy.njxrf fy.nrf
    fyfcnfcbz fyfnjkbq fyfnjkmtdbx fyfnjkmtdyf fyfrjylf fylh.irf fylhjvtlf fylhtq fylhtq123 fylhtq95 fylhtqrf fylhttdf
    fynfyfyfhbde fynjirf fynjy123 fynjybyf fynjyjdf fytxrf fyutkbyf fyutkjxtr fyyeirf fzappa g0dz1ll4 g1234567 gabber
    gabby1 gabrie gabriel1 gabriel12 gabriel2 gabriell gadget gadzooks gaell gagarin gagged gagging gaijin galactic
    galactus galadriel galant galary galatasara galatasaray galaxie galaxy galeries galileo galina gallaghe gallaries
    galore galvesto gambit gambler gameboy gamecock gamecocks gamecube gamemaster gameover gamer gametime gamma
    gandalf gandalf0 gandalf1 gandalf2 gandalf3 gandalf7 gandolf gandon ganesh ganesha gangbang gangbanged gangrel
    gangsta gangsta1 gangstar gangster gangster1 ganja ganjaman ganjubas gannibal ganymede garbage1 garden gardenia
    gareth garfield garfield1 gargamel gargoyle garibald garion garrett1 garter gasman gatekeep gateway gateway1
    gateway2 gateway3 gateway9 gateways gatit gatito gator gator1 gatorade gatorman gators gators1 gators96 gatsby
    gaucho gaudeamus gauloise gauntlet gavrilov gawker gayathri gayboy gaymen gazelle gb15kv99 gbcmrf gbgbcmrf
    gbhfvblf gbkbuhbv gblfhfcbyf gblfhfcs gbljhfcs gborv526 gbpacker gbplf123 gbpltw gbpltw123 gbyudby gcheckou
    gcheckout gdtrfb gearhead gecko geddylee geemoney geezer gegcbr geheim geibcnbr geilesau geisha gemini gemini1
    gemini12 gemini13 gemini69 gemstone general1 generic generic1 genesis genesis1 genesis2 geneviev geng genghis
    genius geniusnet gennadiy geolog323 georg george01 george1 george11 george12 george13 georgi georgia1 georgia2
    geraldin gerasimova gerbil gerhard gerlinde germania germany1 geronimo gerrard gerrard8 gerrity1 gerryber gesperrt
    getalife getfucked getin getinnow getit getlost getmein getmoney getnaked getoff getout getsdown getsmart getsome
    gettysbu gevaudan gfccdjhl gfccgjhn gfcgjhn gfdkbr gfgf1234 gfgfrfhkj gfgfvfvf gfhfcjkmrf gfhfljrc gfhfvgfvgfv
    gfhfyjbr gfhfyjqz gfhjdjp gfhjkbot gfhjkm gfhjkm007 gfhjkm1 gfhjkm11 gfhjkm12 gfhjkm123 gfhjkm13 gfhjkm135
    gfhjkm22 gfhjkm777 gfhjkmgfhjkm gfhjkmxbr gfhjkzytn gfhkfvtyn gfhnbpfy gfif1991 gfitymrf gfnhbjn gforce gfxqx686
    gfyfcjybr gfynthf ggggggg1 ghbdtn ghbdtn12 ghbdtn123 ghbdtnbr ghbdtnbr1 ghbdtnbrb ghbdtndctv ghbdtnghbdtn
    ghbdtngjrf ghbdtnrfrltkf ghbjhbntn ghblehjr ghblehrb ghbrjk ghbrjkbcn ghbrjkmyj ghbywtccf ghetto ghfplybr
    ghhh47hj764 ghhh47hj7649 ghislain ghjatccjh ghjcgtrn ghjcnbnenrf ghjcnbvtyz ghjcnj ghjcnj123 ghjcnjabkz
    ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnf ghjcnjnfr ghjcnjnfr1 ghjcnjq ghjcnjqgfhjkm ghjcnjrdfibyj
    ghjcnjrdfif ghjdthrf ghjgfufylf ghjnbdjcnjzybt ghjnjnbg ghjnjrjk ghjrehfnehf ghjrehjh ghjrjgtyrj ghjuhfvbcn
    ghjuhfvvbcn ghjuhfvvf ghjuhtcc ghjvtntq ghost ghost1 ghost123 ghostdog ghostman ghostrid ghostrider ghtktcnm
    ghtlfntkm ghtpbltyn giacomo giancarlo gianluca gianni giantess giants giants1 giants56 gibson1 gibsonsg gideon
    gigabyte gigemags giggle giggles gilbert1 gilgames gilgamesh gilles gillian1 gimmesum ginge ginger ginger1
    ginger11 ginger12 ginger123 ginger69 ginola ginscoot gintonic ginuwine giorgi giorgio giraffe girfriend girlie
    girlies girls girls1 girls4me girsl gitara giulia giuliana giveitup giveme gixxer gizmo gizmo1 gizmo123 gizmodo
    gizmodo1 gizmodo2 gizmos gizzmo gjdtkbntkm gjhjctyjr gjhjkm gjikbdctyf gjkbyf gjkbyjxrf gjkrjdybr gjkysqgbpltw
    gjkzrjdf gjlcnfdf gjytltkmybr gkfdfybt gladbach gladiato gladiator gladiolus gladston glamour glasgow1 glasnost
    glassjaw glendale glennwei glenwood glider glitter globus glock glock17 glock9mm glowworm gmctruck gmoney gn56gn56
    gnasher23 go2hell goalie goarmy goat goatboy goathead goats goaway gobears gobigred goblin goblue gobrowns
    gobruins gobucks gobucs gobuffs2 gocats gocubs godawgs godbless goddess goddess1 godfathe godfather godflesh
    godisgoo godisgood godisgreat godislov godislove godiva godlike godloves godofwar godsgift godslove godsmack
    godspeed godswill godzilla goeagles goethe gofast gofaster gofish goforit goforit1 gogators gogeta gogetter
    gogiants gohabsgo gohan goheels gohogs gohome goirish goirish1 goku golakers golden golden1 goldenbo goldenboy
    goldeney goldeneye goldfing goldfinger goldfish goldmine goldorak goldrush goldsink goldstar goldtree goldwing
    goleafsg golf golf1 golf1234 golfball golfcart golfclub golfer golfer01 golfer1 golfer11 golfer12 golfer23 golfgti
    golfing golfing1 golfman golfnut golfpro goliath gollum gomets gonads gonavy gondolin gonefish gong goniners gonzo
    gonzo1 gonzo123 goober goober12 goochi good12345 good123654 good4now good4u good4you goodbeer goodboss goodboy
    goodbye1 goodday gooddog goodfell goodfellas goodfood goodgame goodgirl goodguy goodhead goodie goodison goodlife
    goodlove goodluck goodmorning goodnews goodone goodpussy goodsex goodstuf goodstuff goodtime goodtimes goodtogo
    goodwood goodyear goofball goofy goofy1 google google1 google10 google12 google123 gooner goonies goose goose1
    gooseman gopack gopher gophers gopinath gorbunov gordo gordolee85 gordon1 gordon24 gorilla gorilla1 gorilla9
    gorillaz gotcha goten gotenks goth gotham gothic gotigers gotmilk gotohell gotribe gotyoass govols grace1 grace123
    gracelan gramma gramps granada grandam grandam1 grandma1 grandorgue grandpri grandprix granny grant1 granvill
    grapeape grapes grappler grasshop gratis gravedig gravis graywolf gre69kik grease great1 great123 greatdan
    greatgoo greatman greatone greatsex greatwhi greatzyo greedisgood greekgod green1 green12 green123 green420
    greenbay greenbud greenday greenday1 greendog greenegg greenery greeneye greeneyes greenlan greenlantern greenman
    greenpea greens greentea greentre greentree greenwoo gregor gregory1 gremlin gremlins grendel grendel1 greshnik
    gretzky gretzky9 greyhoun greywolf gridlock griffey griffey1 griffin1 griffins griffon grifter grigoryan grils
    grimace grime grimlock grimreap grin grinch grinder grinders gringo grisha grizzley grizzlie grizzly grizzly1
    gromit groove groovy groucho groucho1 groundho groupd2013 growler grumpy grunt gryphon gsewfmck gsgba368 gspot
    gstring gsxr1000 gsxr1100 gsxr600 gsxr750 gtfullam gthcbr gthtcnhjqrf gthtrhtcnjr gtkmvtyb gtkmvtym gtnhjczy
    gtnhjdbx gtnhjdyf gtnhjpfdjlcr gtogto43 gtxtymrf guadalup guai guan guang guardian guatemal gubber gucci guderian
    guesswho guildwars guilherme guillaum guillerm guiness guinness guinness1 guitar guitar01 guitar1 guitar11
    guitar12 guitar69 guitarma guitarman guitarra guitars gulfstre gulliver gulnara gulnaz gumball gumbo gumby gumby1
    gunblade gundam gundam00 gungadin gunnar gunner gunner1 gunners gunners1 gunsling gunslinger gunsmith gunsmoke
    gunther1 gustav gustavo1 gutentag gutierre guybrush guyver gwendoli gxlmxbewym gy3yt2rgls gymnast gymnast1
    gymnastic gypsy gypsy1 gznybwf13 h200svrm h2opolo h397pnvr h9iymxmc habanero habibi hack hacked hackedit hacker
    hackers hackerz hacking hagakure haggis haileris hairball hairy hakkinen hakr hal9000 halcyon haley1 halflife
    halflife2 halfmoon halfpint halibut halifax hallo hallo1 hallo123 hallowboy hallowee haloreach hambone hambone1
    hamburg hamburg1 hamburge hamish hamlet hammarby hammer hammer01 hammer1 hammer11 hammer12 hammer22 hammer69
    hammer99 hammerhe hammers hammers1 hammertime hamper hampster hamradio hamster hamster1 handbag handbags handball
    handcuff handsoff handyman hangman hankster hannah hannah01 hannah1 hannah11 hannah12 hannah22 hannelor hannes
    hannibal hannover hansol hansolo hansolo1 hanswurst hanuman happines happy1 happy100 happy123 happy2 happyboy
    happyday happydays happydog happyface happyguy happyhap happyjoy happylife happyman happyness happyone happytim
    harakiri harald harcore hardball hardbody hardc0re hardcock hardcor1 hardcore hardcore1 harddick harddriv hardhead
    hardline hardon hardone hardpack hardrock hardtail hardtime hardtoon hardwareid hardwood hardwork haribo harle
    harlem harlequi harley harley01 harley03 harley1 harley11 harley12 harley13 harley20 harley69 harley88 harley99
    harmony1 harpoon harpua harrier harrison1 harry1 harry123 harrydog harrypot harrypotter harrys harsingh hartland
    harvest hatebree hatelove hateme hatesyou hatteras hattrick haustool havana havefun havefun1 hawaii hawaii50
    hawaiian hawaiiguy hawkdog79 hawker hawkeye hawkeye1 hawkeyes hawkmoon hawks1 hawkwind hawkwood hawthorn hayabusa
    hayastan hazelnut hazmat hd764nw5d7e1vb1 headcase headhunt headless headroom headshot heartbre hearts heat7777
    heater heathe heather1 heather2 heather4 heather6 heather7 heather9 heathers heathrow heatwave heaven heavymet
    heavymetal heckfy heckfyxbr hedgehog hedimaptfcor hedj2n4q hedonism hedonist heeled heidi1 heimdall heineken
    heinlein hejmeddig hejsan helen1 helicopt helios helium hell666 hellas hellbent hellbound hellboy hellfire
    hellgate hellhoun hellno hello hello1 hello101 hello12 hello123 hello1234 hello2 helloall hellohel hellokit
    hellokitty helloman hellome hellomoto helloo hellos hellothe hellothere hellow helloween helloworld helloyou
    hellrais hellraiser hellsing hellspaw hellspawn hellyeah helmet helmut helpdesk helper helpme helpme1 hemicuda
    hemingwa hemlock hemmelig henderso hendrix hendrix1 heng henriett henrik henrique henry1 henry123 hentai henti
    herbert1 herbie hercule hercules heretic herewego herkules hermes hermione hernande herpderp hershey hershey1
    hesoyam hesoyam1 hesoyam123 hetfield hewlett heynow heythere heyyou hfcgbplzq hfcnfvfy hfgcjlbz hfleuf hfljcnm
    hfpldfnhb hfytnrb hhhhhhh1 hiawatha hibernia hibiscus hickory hidden higgins1 highball highbury highfive highheel
    highjump highland highlander highlife highspee hightech hightime highway1 highwind hihje863 hijodeputa hiking
    hilfiger hillary1 hillbill hillcres hillside hilltop hiphop hippie hippo hippos hiroshi hiroyuki history1 hitachi
    hithere hithere1 hitler hitman hitman47 hiziad hjccbz hjcnbckfd hjlbntkb hjvfirf hjvfyjdf hjvfynbrf hkger286
    hobbes hobbes12 hobbit hobiecat hocke hockey hockey1 hockey10 hockey11 hockey12 hockey123 hockey13 hockey14
    hockey19 hockey21 hockey22 hockey33 hockey69 hockey99 hoddling hogtied hogwarts hokies hola holdem holein1
    holeinon holeshot holger holiday holiday1 holla holland1 holliste hollister1 holly1 holly123 hollydog hollywoo
    hollywood1 holycow holycrap holymoly holyshit hombre homebase homeboy homebrew homedepo homefree homegrow homely
    homemade homepage homer1 homer123 homerj homerjay homers homersim homerun homerun1 homewood homeworld honda honda1
    honda123 honda200 honda250 honda450 hondacar hondacbr hondaciv hondacivic hondacrv hondacrx hondaman hondas
    hondas2000 hondavfr honey1 honey123 honeybea honeybear honeybee honeybun honeydew honeydog honeypie honeypot
    honeys hongkong honolulu hoochie hookedup hookem hooker hookers hookup hooligan hoops hoopstar hoopster hoosier
    hoosier1 hoosiers hooter hooters hooters1 hooters6 hootie hooyah hopalong hopeful hopeful1 hopefull hopkins1
    horatio hores horizon horizon1 hornball horndog horndog1 horndogg hornet hornets hornets1 horney horny horny1
    horny123 hornyboy hornydog hornyguy hornyman hornyone horse horse1 horseman horsemen horses horsesho horsey horus
    hosehead hoser hot123 hot2trot hotass hotbabe hotbabes hotbitch hotbox hotboy hotchick hotchkis hotdog hotdog12
    hotdogs hotgirl hotgirls hotlanta hotlegs hotlips hotmama hotman hotone hotpants hotpussy hotrats hotred hotrod
    hotsauce hotsex hotsex69 hotshit hotshot hotshot1 hotspur hotspurs hotstuff hott hottie hotties hottub hotty
    hotwater hotwheel hotwheels houdini hounddog hounds house1 house123 housebed housecat housepen housewife
    housewifes houston1 hovepark hover hoyasaxa hpmrbm41 hrfzlz hrothgar hrvatska hshfd4n279 htcnjhfy htubcnhfwbz
    htubyf huai hubbahub hubertus hugecock hugedick hugetits hugoboss hulkster hullcity humbug hummer hummerh2
    hungwell hunnybun hunt0802 hunt4red hunte hunter hunter01 hunter1 hunter11 hunter12 hunter123 hunter2 hunter22
    hunter69 hunter99 hunting hunting1 huntress hurrican husker huskerdu huskers huskers1 huskies huskies1 husky
    hustler hustler1 hvidovre hxp4life hxxrvwcy hydepark hydro hyperion hyperlit hypnodanny hyundai hzze929b
    iaapptfcor iambigal iamcool iamgod iamgreat iamhappy iamhorny iampurehaha2 iamthema iamtheman iamtheone iawgk2
    ib6ub9 ibanez ibelieve ibill01 ibill123 ibilljpf ibilltes icam4usb icandoit icarus iceberg icecold icecream
    icecube icecube1 icehouse iceman iceman1 iceman11 iceman44 iceman69 icequeen icetea icewater icu812 iddqd
    iddqdiddqd iddqdidkfa idefix idinahui idlewild idontcare idontkno idontknow idunno ifoptfcor iforget iforgot
    iforgot1 iforgotit ifufkbyf ignatius igor igor1234 igor1994 igorek igromania iguana ihateyou ihateyou1 iiiiiii1
    iiyama ijrjkfl ijrjkflrf ikilz083 iklo ikmvw103 ilikeit ilikepie ilikeporn ilikepussy ilikesex ilikeyou illini
    illmatic illumina illuminati illusion ilove iloveamy iloveass iloveboobies ilovecock ilovedick ilovegirls ilovegod
    iloveher ilovehim iloveit ilovejen ilovejes ilovejesus ilovekim ilovelife iloveluc ilovelucy ilovemar iloveme
    iloveme1 iloveme2 ilovemom ilovemusic ilovemyfamily ilovemylife ilovemyself ilovepor iloveporn ilovepus ilovepussy
    ilovesex ilovetit ilovetits iloveu iloveu2 iloveyo iloveyou iloveyou! iloveyou1 iloveyou11 iloveyou12 iloveyou123
    iloveyou2 iluvporn iluvtits ilya1234 ilya1992 imaccess imagine1 imaloser imation imcool imhorny imissyou imladris
    immortal impala impalass imperator imperium implants importan impossib impreza imtheman imzadi inandout incest
    incognit incognito incubus incubus1 indahous indahouse indain independ india123 indiana indiana1 indiana7
    indianali indianer indians indians1 indica indigo indon indonesi indy500 indycar inferno inferno1 infiniti
    infinity inflames informat infotech ingenier ingersol ingodwetrust ingram01 inkognito inlove insane insert
    insertion insertions insider insomnia inspecto inspiron install installdevic installsqlst installutil insuranc
    integra integra1 integrit intel intelinside interacial intercourse interex intermilan internat interne internet
    internet1 intersta intheass intheend intranet intrepid intruder inuyasha invalidp invernes invictus invis invisibl
    iomega iphone ipswich ipswich1 iqzzt580 iraffert irakli ireland1 irina irina123 irina1991 irinka irish1 irish123
    irisha irishka irishman iriska ironbird ironchef ironcity irondesk irondoor ironfish ironfist ironhead ironhors
    ironhorse ironlung ironmaid ironmaiden ironman ironman1 ironman2 ironmike ironpony ironroad ironside ironsink
    irontree is3yeusc is_a_bot isabe isabella1 isacs155 iscool iseedeadpeople isengard ishikawa ishmael iskander
    islander ismail istanbul isthebes istheman italia italian1 italiano itdxtyrj itisme itsasecret itsme ivan1985
    ivan2010 ivanhoe ivanov ivanova iverson iverson3 iwantsex iwantu iwantyou izabella j0nathan j1234567 j3qq4h7h2v
    jabber jabberwo jabroni jabroni1 jachin jack1 jack1234 jack2000 jack5225 jackal jackaroo jackass jackass1 jackdani
    jackdaniels jackdog jackel jacker jackfros jackfrost jackhamm jackie01 jackie1 jackie69 jackiech jackmeof jacko
    jackoff jackoff1 jackpot jackpot1 jackryan jackso jackson1 jackson2 jackson5 jackson6 jackson9 jackster jacob1
    jacob123 jacqueli jadakiss jadzia jagger jagr68 jaguar jaguar1 jaguars jaguarxj jahbless jailbait jailbird
    jaimatadi jakarta jake1234 jake5253 jakers jakester jakeyboy jalal123 jalapeno jamaica jamaica1 james007 james1
    james123 james2 jamesb jamesbon jamesbond jamesbond007 jamesd jamesdea jameson1 jamess jamest jamie1 jamie123
    jamielee jammer jammin janet1 janeway jansport januar january1 january2 janus japanees jared1 jaredleto jarhead
    jarhead1 jasmine jasmine1 jasmine123 jasmine2 jasmine3 jasmine5 jasmine7 jasmine9 jason1 jason123 jasons jasper
    jasper1 jasper12 java javabean javelin javie jawbreak jaybird jaycee jaydee jayden jaydog472 jayhawk jayhawk1
    jayhawks jayman jaysoncj jazz1234 jazzbass jazzman jazzman1 jazzy jazzy1 jbond007 jeadmi jeanmarc jeanpaul jedi
    jediknig jediknight jedimast jedimaster jeep jeeper jeepers jeepster jeeves jeff1234 jefferso jeffery1 jeffhardy
    jeffrey1 jeffrey4 jeffro jehovah jelena jello jelly jelly1 jellybea jellybean jellyfis jemoeder jenn jenna1
    jenna123 jennaj jennife jennife1 jennifer1 jenny1 jenny123 jerem jeremy1 jericho jericho1 jerkoff jerkyboy
    jeronimo jerry1 jerrylee jerusale jesper jesse1 jesse123 jessejames jessic jessica0 jessica1 jessica2 jessica3
    jessica6 jessica7 jessica8 jessicam jessicas jessie1 jester jesucrist jesus1 jesus123 jesus4me jesus7 jesus777
    jesusc jesuschr jesuschris jesuschrist jesusgod jesusis1 jesusislord jesuss jesussaves jetbalance jetblack jeter2
    jethro jets jetski jetson jewboy jewels jezebel jg3h4hfn jgthfnjh jgtxzbhr jhnjgtl12 jhrl0821 jiang jiao
    jigei743ks jigga jiggaman jigsaw jillian1 jim123 jimandanne jimbeam jimbo jimbo1 jimbo123 jimbob jimdavis jimmy1
    jimmy123 jimmyboy jimmyjam jimmypag jimmys jing jingle jingles jiong jitterbu jiujitsu jjjjjjj1 jkbvgbflf jktxrf
    jktymrf jlbyjxrf jlbyjxtcndj jledfyxbr jlettier jnrhjqcz jo9k2jw2 jobsearc jockey jockstra jodeci joe123 joeblack
    joeblow joebob joecool joemama joesakic joesmith johann johanna1 johannes john1 john12 john123 john1234 john316
    johnatha johnboy johncena johndeer johndeere johndoe johngalt johnmish johnn johnny1 johnny12 johnny5 johnny69
    johnny99 johnnybo johnpaul johnsmith johnson1 johnson2 johnson4 johnwayn joker joker1 joker123 joker666 joker777
    jokers jollymon jomama jonatha jonathan1 jonboy jones1 jonesy jonny jonnyboy jor23dan jorda jordan jordan01
    jordan1 jordan10 jordan11 jordan12 jordan123 jordan18 jordan2 jordan20 jordan22 jordan23 jordan45 jordan99 jordyn
    joselito joseluis josep joseph1 joseph10 joseph11 joseph12 josephin joshu joshua01 joshua1 joshua10 joshua11
    joshua12 joshua19 joshua99 joung journey1 joxury8f joyce1 joyful joystick jrcfyf jrcfyjxrf jsbach jtuac3my
    juancarlo juancarlos juanito juanjose juanpabl jubilee juggalo juggalo1 juggerna juggernaut jughead juice juiceman
    juicy julemand julia1 julia123 julie1 julie123 julie456 julien jumanji jumbo jumper jumpman23 jumpshot juneau
    junebug junebug1 jungfrau jungle junglist junio junior junior01 junior1 junior12 junior123 junior13 junior24
    juniper junkfood junkie junkmail junkyard jupiter jupiter1 jupiter2 jurassic just4fun just4me just4you justdoit
    justforf justforfun justi justice justice1 justice2 justin01 justin1 justin10 justin11 justin12 justin123
    justinbiebe justinbieber justine1 justlook justme justonce juventus juvis123 jvtuepip jxfhjdfirf jzf7qf2e k.jdm
    k.lvbkf k123456 k1234567 k123456789 k2trix k9dls02a kaboom kabuki kahlua kahuna kaitlynn kajak kakarot kakaroto
    kakashi kakashka kaktus kalamazo kalambur kalender kalifornia kaligula kalimera kalina kalinina kalleank kalleanka
    kallisti kamakazi kamakiri kamasutr kamasutra kamehame kamehameha kamelia2011 kamikadze kamikaze kamikazi kamila
    kamilla kangaroo kanmax1994 kansas kappa kappaman kappasig karachi karaganda karamba karamelka karandash karaoke
    karapuz karate kardinal kareltje karen1 karen123 karimova karina karishma karlmarx karlmasc karolina karolina1
    karolinka kartoshka kashmir kasparov kasper kasperok kasumi katana katarina katemoss katerina katerinka katharin
    kathryn1 kathy1 katie1 katie123 katiebug katiedog katmandu katrin katrina1 katten katya katya123 katyusha katzen
    kavkaz kawasaki kayak kayaking kayla1 kayla123 kazakova kazanova kazantip kbctyjr kbdthgekm kbnthfnehf kbpfdtnf
    kcchiefs kcj9wx5n kcmfwesg kd189nlcih keeper keepout keith1 keith123 keksa12 kekskek1 kelly001 kelly1 kelly123
    kellyann kemerovo kenaidog kendall1 keng kennedy1 kenneth1 kenneth2 kennwort kenny1 kenny123 kenobi kenshin
    kenshin1 kenshiro kensingt kenwood kenwood1 kenworth kenzie kerberos kermit1 kernel kerouac kestrel ketamine
    kevin1 kevin123 kevins keyboard keylargo keystone keywest keywest1 kfcnjxrf kfgjxrf kfhbcf kfnju842 kfvgjxrf
    kgvebmqy khalid khongbiet kickass kickass1 kickbutt kicker kickflip kicksass kidrock kieran kikimora kikiriki
    kilbosik killa killabee killah killbill kille killemal killemall killer killer00 killer01 killer1 killer11
    killer12 killer123 killer13 killer23 killer66 killer666 killer69 killer77 killer99 killerbe killerbee killerman
    killers killians killjoy killme killroy killswit killyou killzone kilroy kimber45 kimberle kimberly1 kimchi kimmie
    kimmy kindbuds king1234 kingdom1 kingfish kingfisher kingkong kinglear kingpin kingpins kingrich kings1 kingshit
    kingsize kingston kingtut kinky kinkysex kipper kirby1 kirill kirill123 kirsten1 kirsty kismet kissarmy kisses
    kissme kissmyas kissmyass kissthis kiteboy kitkat kitten kittens kitties kitty kitty1 kitty123 kittycat kittykat
    kittykit kittys kiwi kjifhf kjiflm kjkszpj kjrjvjnbd kki177hk kkkkkkk1 kl?benhavn klaatu klapaucius klaste klaster
    klaudia klaudia1 kleenex kleopatra klimenko klingon klingon1 klizma klondike klootzak klopik klubnika kluivert
    knickerless knickers knicks knight1 knight12 knight99 knights knights1 knockers knopfler knopka knopo4ka knothead
    knowledg knuckles knulla koala kobayash kobe08 kobebryant kochamcie kochanie kodaira52 kodak kodiak kodiak1
    koetsu13 kohsamui kojak kokakola kokomo kolawole kolbasa kolesnik koleso kolia123 kolibri kolobok kolokol kolovrat
    komarova kombat komodo komputer kondom25 konfetka konnichi kononenko konoplya konovalov konstantin kontakt kontol
    konyor kookie kool koolaid koolhaas kordell1 korn koroleva korova koshechka koshka kosmos kosova kostas kostik
    kostya kotaku koteczek kotenok koufax32 kourniko kovalenko kpydskcw kr9z40sy krakatoa kraken krasavica krasnodar
    krasota krasotka kravchenko krishna kristall kristen1 kristie1 kristin1 kristina1 kristinka kristjan krokodil
    krolik kronos krusty krypto krypton krypton1 kryptoni ksenia kseniya ksusha kthjxrf ktnj2010 ktybyuhfl ktyjxrf
    kuai kuan kuang kubrick kudos4ever kukareku kukolka kukuruza kukushka kuleshov kulikova kumar123 kume kungfu
    kurosaki kurosawa kurtcobain kurwamac kusanagi kvartira kwiatuszek kwiettie kzsfj874 l0swf9gx l3tm31n l58jkdjp!
    l8g3bkde labatt labia labrador labtec lachesis lacoste lacrimos lacrimosa lacrosse laddie ladles ladybird ladyboy
    ladybug ladybug1 ladyffesta ladygaga ladygirl ladylove ladyluck laetitia lafayett lagnaf laguna lagwagon lainth88
    lakeland laker lakers lakers08 lakers1 lakers12 lakers24 lakers32 lakers34 lakeshow lakeside laketaho lakewood
    lakings lakota lakshmi lalakers lalaland lambchop lambda lambert1 lamborghini lamborgini lambrett lamer lampard
    lancaste lance1 lancelot lancer lancia landrove landrover landscap lansing lantern lanzarot lapdance lapochka
    laptop laputaxx laracrof laracroft larionov larisa larkspur larousse larry1 larry123 larrybir larsson laser laser1
    laser123 laserjet lasers lasombra lassie lastochka lasttime lasvega lasvegas latching latenite lateralu lateralus
    latex latinas latino laura1 laura123 lauras lauren1 lauren12 laurent lavalamp lawman lawncare lawnmowe lawntrax
    lazarus lazyacres lback lbfyjxrf lbhtrnjh lbpfqyth lbtest lbvekmrf lbvjxrf leadfoot leafs leahcim leapfrog learjet
    leather leather1 leavemealone lebedeva lebowski lebron23 ledzep ledzeppe ledzeppelin leeds1 leedsuni leedsutd
    leeloo leeroy left4dead left4dead2 lefthand lefty legacy legalize legend legenda legends1 legion legioner leglover
    legman legoland legolas legolas1 legos lehjxrf leiceste leinad lekbyxxx lekker lemans lemmein lemming lemmings
    lemon1 lemonade lemond len2ski1 lena1982 lena2010 leng lennon leno4ka lenochka leonard1 leonardo1 leonid leonidas
    leopard leopold lerochka leroy1 lesbain lesbean lesbens lesbian lesbian1 lesbians lesbos lespaul lespaul1 lestat
    letitrid letme1n letmei letmein letmein0 letmein1 letmein2 letmein22 letmein3 letmein4 letmein5 letmein6 letmein7
    letmein9 letmeinn letmeinnow letmeino letmesee leto2010 letsdoit letsfuck letsgo letsplay letterma level42
    levelone lever leviatha leviathan lewie622 lexingky lexingto lexmark lexmark1 lexus lexus1 lexus300 lfhbyf
    lfiekmrf lfitymrf lfplhfgthvf lfybbk lfybkf lg2wmgvr lhbjkjubz2957704 lhfrjy lian liang liao libero libertad
    libertin liberty liberty1 liberty2 liberty7 libido libra lichking lick licker licking lickit lickme lickme69
    lickpussy licorice liebherr liebling lifeguar lifehack lifeisgood lifestyl lifesuck lifesucks light1 lightbul
    lighter lightfoo lighthou lightman lightnin lightning lights lightsab lightsaber lightspe likemike likesdick
    likewhoa lilbit lilcrowe lildevil liliya lillian1 lilman lilwayne limabean limaperu limewire limpbizk limpbizkit
    limpdick limpone limpopo lincoln1 lincoln2 lincoln7 linda1 linda123 lindalou lindros lindros8 lindsay1 lindsey1
    lineage lineage2 lineman linkin linkinpark linus lion lioness lionhear lionheart lionking lionsden lipton liquid
    lisa1234 lisa69 lisamari lisboa lisenok lisichka listopad litebeer litespee lithium lithium1 litle little1
    littlebear littlebi littlebit littlebitch littlebo littledo littlefuck littlegi littlegirl littleguy littlejo
    littlema littleman littleminge littleon littleone littlewhore liudmila liveevil livefree livelife liverp00l
    liverpoo liverpool liverpool1 liverpoolfc liverune livestrong livewire liza2000 liza2009 lizard lizard1 lizaveta
    lizottes lizzard lizzy ljb4dt7n ljxtymrf lkjhgfdsaz lkjhgfdsazx llabesab llama llebpmac lllllll1 lllooottt loader
    lobo lobster lobster1 lochness lockdown lockedup lockerroom lockout locksley locksmit loco locoman0 locust locutus
    locutus1 logan1 logan123 logcabin logger logging7 loginova logistic logitech logitech1 loglatin lohotron loislane
    loki lokomoti lokomotiv lol123 lol123123 lol1234 lol12345 lol123456 lolipop lolkin09 lollipop lollol lollol12
    lollol123 lollypop lolol lololol lololyo123 loloxx lolwut lommerse lomonosov londo london london01 london1
    london11 london12 london123 london20 london22 london99 lonesome lonestar lonewolf longball longbeac longbeach
    longboar longboard longbow longdick longdong longhair longhorn longhorns longjohn longjump longlegs longlife
    longshot longtong longview longwood lonsdale lookatme looker looking1 looking4 lookout lookup loosee123 looser
    lopas lopas123 lopata loploprock lopotok01 loranthos lordsoth loredana lorenzo1 lorien losangel losangeles
    losbravo losenord loser loser1 loser123 losers losfix16 lost4815162342 lostboys lostlove lostsoul lothar
    lotrfotr34 lotus lotus1 lotus123 loudog louis1 louis123 louise1 louisian love love1 love11 love12 love123 love1234
    love2000 love2010 love2011 love4eve love4ever love4you love5683 love69 loveable lovebaby lovebird loveboat lovebug
    lovebugs lovecock lovecraf lovedick lovefeet loveforever lovegame lovegirl lovegod lovehate lovehina lovehurt
    lovehurts loveis loveislife loveit lovejone lovel lovelife loveline lovely lovely1 lovem loveme loveme1 loveme89
    loveporn lovepuss lovepussy lover lover1 lover123 loverboy lovergir lovergirl loverman lovers lovesex lovesexy
    lovesme lovesong lovespor lovesporn lovestory lovesuck lovesyou lovethem lovetits loveya loveyou loveyou1 loveyou2
    lovezp1314 lowdown lowrider loyola lp2568cskt lsdlsd12 lsia9dnb9y lsutiger ltcnhjth ltdjxrf lthgfhjkm ltkmaby
    ltybcjdf ltybcrf ltymub luan luansantana lubimaya luca lucas1 lucas123 lucent lucian lucidity lucifer lucifer1
    lucifer666 luckie lucky lucky1 lucky123 lucky13 lucky2 lucky7 lucky777 luckyboy luckycat luckycharm luckydog
    luckyman luckyme luckyone luckys luckystr lucozade ludacris ludmila ludmilla lugano lugnut lukas123 lumber lumina
    lumpy lunchbox luojianhua luscious lust lusty lutscher luv2epus luv2fuck luvbekki luvpussy lux2000 lvbnhbq
    lvbnhbq1 lvbnhbtdf lvjdp383 lysander lytghjgtnhjdcr lyudmila lzbs2twz lzhan16889 lzlzdfcz m0nk3y m0nkey m12345
    m123456 m1234567 m123456789 m1garand m6cjy69u35 m7hsqstm m_roesel ma123123123 maasikas macaco macanudo macarena
    macaroni macbeth macdaddy macdonal macgyver machine machine1 machoman maciek macintos macintosh mackdadd mackdaddy
    mackenzi macman macross macross1 macross7 macsan26 madagaskar madala11 madalena madalina madarchod madcat madcow
    maddie maddison maddmaxx maddog maddog01 maddog69 madelein madhatte madhatter madhouse madina madinina madiso
    madison madison0 madison1 madison2 madison3 madison9 madman madmax madmax11 madness madness1 madonna madonna1
    maestro maestro1 mafia magadan maganda magelan magellan magenta maggi maggie maggie1 maggie11 maggie12 maggiema
    maggot magic magic1 magic123 magic32 magical1 magical123 magichat magician magick magicman magicone magics
    magister magnavox magnet magneto magnum magnus magoo magpie magpies magpies1 magritte mahal mahalkit mahalkita
    mahalo maiden mailcreated5240 mailman mailman1 mailru mainstre maison maiyeuem majestic majinbuu major1 majortom
    makaka makarenko makarov makarova makaveli makayla makeitso makeksa11 makelove makemone makemoney makenzie makoto
    maks2010 maks5843 maksim maksimka maksimus malachi malaga malaka malakas malamute malcolm1 malcolmx malibu malice
    malina malinka malinois malish malishka mallard mallard1 mallards mallorca mallrats malyshka mama123 mama1234
    mama12345 mama1961 mama1963 mama1964 mama1970 mama2010 mamabear mamacita mamaliga mamamia mamapapa mamas mamasboy
    mamasita mamatata mamita mamma123 mammamia mammoth mammoth1 mamo4ka mamochka mamont manageme manager1 manana
    manatee manchest mancheste manchester manchester1 manchild mancity mancity1 mandarin mandarinka manders mandingo
    mandolin mandragora mandrake mandreki mandy1 mandy123 manfred mang mango mango1 mangos mangust6403 manhatta maniac
    mankind mankind1 mannheim manning1 manning18 mannn manolito manolo manowar mansfiel mansikka manson manstein
    mantaray mantis mantle mantra manu manuals manue manunite manunited manutd manwhore mapet123456 maplelea
    mapleleafs maprchem56458 maradona marajade marakesh maranell maranello marat marathon marauder marbella marbles
    marcelin marcelit marcello march13 marchenko marcin marcius2 marco1 marco123 marcopol marcopolo marcus1 marcus12
    mardigra margaret1 margarit margaux margosha maria1 maria123 mariachi mariajos mariana1 marie1 marie123 marigold
    marihuana marijuan marijuana marika marilena marillio marillion marilyn1 marina marina1 marina123 marine marine1
    marine21 mariner mariner1 mariners marines marines1 marinka marino marino13 mario1 mario123 mario66 maripos
    mariposa marishka marissa1 mariupol marius mariya mark1 mark123 mark1234 mark3434 marker marketin markhegarty
    markie markiz markiza marlboro marlboro1 marley marley1 marley12 marlins marlins1 marmalad marmaris marmelad
    marmite maroon marquise married1 marryher marseill marseille marsel marshal1 marsik martesana martian martin01
    martin1 martin11 martin12 martin6 martina1 martinet martini martini1 martusia marty1 marusya marvin1 maryann1
    maryjane marykate marykay masahiro masamune maserati mash4077 masha masha123 masha1998 mashamasha mashenka mashka
    mashoutq masiania mason1 mason123 massimiliano massive massive1 maste master master00 master01 master1 master10
    master11 master12 master123 master13 master21 master22 master23 master55 master69 master77 master99 masterb8
    masterba masterbaiting masterbate masterbating masterca mastercard masterch masterchief masterkey masterlo
    masterma mastermi mastermind masterof masterp masters1 masturba masturbation masyanya matador matahari matchbox
    matchbox20 matematica matematika mateusz matilda1 matisse matri matrix matrix01 matrix1 matrix12 matrix123
    matrix13 matrix19 matrix69 matrix99 matrixxx matros matt1 matt1234 matteo matthe matthew0 matthew1 matthew2
    matthew3 matthew4 matthew5 matthew6 matthew7 matthew8 matthew9 matthewd matthias matthieu mattingl matty
    mattylad10 matulino mature matveeva matvei matvey maulwurf maureen1 maurice1 maurici maurizio maurolarastefy
    maveric maverick maverick1 mavericks max123 max333 max33484 maxdog maxell maxfli maxi maxim maxim1935 maxima
    maxime maximili maximilian maximka maximus maximus1 maximus2 maxmotives maxpayne maxpower maxthedo maxwell
    maxwell1 maxwell2 maxwell7 maxx maxxxx mayday mayfair mayflowe mayhem maynard1 mazafaka mazahaka mazda mazda1
    mazda3 mazda323 mazda6 mazda626 mazdamx5 mazdarx7 mazdarx8 mazinger mbkugegs mccool24 mcdonalds mclaren mclaren1
    mclarenf1 mdmaiwa3 mdmgatew mdogg meadow meandyou meatball meathead meatloaf mechanic medic medic1 medical1
    medicina medion meditate medusa medved medvedev medvedeva megabyte megadeth megafon megaman megaman1 megamanx
    megan1 megan123 megane megapass megapolis megastar megatron meggie meister meister1 melanie1 melanie2 melbourn
    melinda1 meliss melissa1 melissa2 melissa3 melissa6 melissa7 mellon mellow melnikova melon melons melrose memnoch
    memorex memphis memphis1 memyself menace meng mensch menthol mentor mentos meonly meowmeow meowmix mephisto
    mercator mercede mercede1 mercedes mercedes1 mercenar mercury mercury1 mercury2 mercury7 mercutio merengue
    meridian merlin merlin01 merlin1 merlin11 merlin12 merlin21 merlin69 merlin99 merlot mermaid mermaid1 mermaids
    merrill1 mersedes mesohorny mesquite messenge messi10 messiah messiah1 met2002 metal1 metal123 metal666 metalgea
    metalgear metalhead metalica metall metallic metallica metallica1 metalman metatron methodma methodman methos
    metoo metro2033 metroid metropol mets mets1986 mettss mevefalkcakk mexic mexicali mexican1 mexicano mexico miami
    miami1 miami305 miamo miamor mian miao miatamx5 michae michael0 michael1 michael12 michael123 michael2 michael3
    michael4 michael5 michael6 michael7 michael8 michael9 michaelb michaelc michaeld michaelj michaeljackson michaell
    michaelm michele1 michelin michell1 michelle1 michelob michi michigan mick mick7278 micke mickey mickey01 mickey1
    mickey11 mickey12 mickey22 mickey69 mickeymo mickeymouse micky micro microlab microlab1 micron microphone microsof
    microsoft microwav middleto midget midiland midnight midnight1 midnite midori midway mierda mighty mightymo migue
    miguelit mihail mikado mikael mikayla mike01 mike1 mike11 mike12 mike123 mike1234 mike12345 mike1969 mike2000
    mike23 mike69 mikehunt mikejone mikey mikey1 mikey123 mikkel milamber milana milano milashka milehigh milena
    milenium miles1 milfhunter milfnew milhouse milkbone milkmaid milkman milkman1 milkshak milkyway mille millenia
    milleniu millenium millenni miller01 miller1 miller12 miller31 millerli millerlite millerti millertime million1
    milliona millwall milwauke mimi92139 mimosa mindgame mine2306 minecraft minecraft123 mineonly mingus minhasenha
    miniclip minicoop minicooper minidisc minime minimoni miniskir minnesot minnesota_hp minnette minotaur minotavr
    minouche minstrel miracle1 mirage miranda1 mironova miroslav miroslava miruvor79 mischa mischief misfit misfit99
    misfits misfits1 misha1111 misha123 mishanya mishka mishmash mishutka misiaczek misiek missie mission1 mississi
    misskitt misskitty missy1 missy123 mister misterio misterme mistral mistral1 mistress misty1 misty123 mistydog
    mithrand mitsubis mittens mittens1 miyvarxar mizredhe mizuno mizzou mjollnir mjolnir mko09ijn mmmmmmm1 mnbvcxz
    mnbvcxz1 mobbdeep mobydick modelsne modem modena moderato modles mogwai mohawk mojave mojo mojojojo molly1
    molly123 mollycat mollydog mollymoo moloko molotok molson mom4u4mm momanddad momdad mommie mommy1 mommy123 momoney
    momoney1 momsanaladventure momsuck monaco monalisa monaliza monamour monarch monday monday1 monday12 mondeo mone
    money money1 money100 money111 money12 money123 money1234 money2 money4me money777 moneybag moneymak moneymaker
    moneyman moneymon moneys mongo mongoose monic monica01 monica1 monica12 monica69 monies monique1 monitor monitor1
    monitor2 monke monkey monkey00 monkey01 monkey1 monkey10 monkey11 monkey12 monkey123 monkey13 monkey14 monkey2
    monkey20 monkey21 monkey22 monkey23 monkey24 monkey66 monkey69 monkey77 monkey99 monkeybo monkeyboy monkeybu
    monkeybutt monkeyma monkeyman monkeys monkeys1 monkfish monolith mononoke monopoli monopoly monsoon monste monster
    monster1 monster2 monster7 monster9 montag montagne montana montana1 montblanc montecar montecarlo montella
    monterey monterre montgom240 montgome montreal montrose monty1 monty123 moochie moocow mookie mookie12 moom4242
    moom4261 moomoo moonbeam moondog moondog1 mooner moonglow moonligh moonlight moonlite moonman moonrake moonshin
    moonshine moonshot moonstafa moonstar moonunit moonwalk moose moose1 moose123 moosehea moosejaw mooseman mooses
    mopar mopar440 moparman mordor morebeer moremone moremoney morena morga morgaine morgan01 morgan1 morgan12 morgana
    morganstanley morgen morgoth moritz morkovka morlii morozov morozova morpheus morphius morrigan morrisse morrowin
    morrowind mortalkombat morten mortgage morticia mortimer mortis moscow mosias98 moskva mossberg mossyoak
    mostwanted motdepas motdepass motdepasse mothe mother mother1 mother12 motherfu motherfuck motherlode mothra moto
    motocros motocross motoguzz motorbik motorbike motorcyc motorhea motorhead motorman motorola motorolla motorrad
    motown mounta1n mountai1 mountain mouse mouse1 mouse123 mouseman mousepad mouser mouses mousey moviebuf movieman
    movies23 mowerman mowgli mozart mpegs mpetroff mrbill mrblonde mrbrownx mrbrownxx mrbungle msconfig msorcloledbr
    msouthwa mtwapa1a muaythai muchacha mudhoney mudshark mudslide mudvayne muenchen mufasa muffdive muffdiver muffin
    muffin1 muffin11 muffin12 muffinman muffy mugwump mulberry mulder muledeer mullet multimed multipas multiplelo
    multiplelog multiscan multisyn multisync munch munchkin munson15 muppet murat murciela murcielago murmansk murph
    murphy01 murphy1 murphy11 murphydo murzik murzilka musashi muschi muscle muscles muselman mushroom music1 music101
    music123 musica musical1 musiclover musicman muskie muskrat mustafa mustaine mustan mustang mustang0 mustang1
    mustang2 mustang3 mustang4 mustang5 mustang6 mustang67 mustang69 mustang7 mustang8 mustang9 mustangg mustanggt
    mustangs mustard mustard1 mutabor mutant mutley mutter muttley mvtnr765 mwq6qlzo mxaigtg5 mxyzptlk my2girls
    my3girls my3sons myangel mybaby myboys mycock mydick myfamily myfriend mygirl mygirls myhouse mykids mylife mylove
    mymoney1 mymother myname mynameis mynewbots mynewpas mypass mypasswo mypassword myporn mypussy mysecret myspace
    myspace1 mysterio mystery1 mystic mystikal mystuff myszka mytime mywife myworld myxworld myxworld4 n7td4bjl
    n8skfswa nachos nacked nadegda nadejda nadezhda naked nallepuh namaste nancy1 nancy123 nang nanook nanotech
    nantucke napalm napass napolean napoli napster napster1 narkoman narnia narut naruto naruto1 naruto12 naruto123
    nascar nascar03 nascar1 nascar20 nascar24 nascar3 nascar88 nascar99 nashvill nastena nastenka nastia nasty nasty1
    nastya nastya123 nastya1995 nastya1996 nastya2010 nastyboy nastyman nata1980 nataha natali natalia1 natalie1
    natalie2 nataliya natalka nataly natas666 natascha natasha natasha1 natasha123 natasha2 natashka natchez natedawg
    natedog natedogg natha nathalia nathan01 nathan1 nathan12 nathanie natural1 naturals naturist naught naughty
    naughty1 naughtyboy naumenko nausicaa nautica nautica1 nautilus nautique navajo navigato navigator navyblue
    navyseal nazarenko nazareth nazarova nazgul nbuhtyjr nbvjatq nbvjif ncc1701 ncc1701a ncc1701d ncc1701e ncc74656
    nccpl25282 ndirish ndshnx4s ne1469 nebraska nebula necroman necromancer nectarin nederland nedkelly need4speed
    needajob needforspeed needit needsome nefertit nefertiti nelso nelson1 nemesis nemesis1 nemesis2 nemezida nemiroff
    nemrac58 nemvxyheqdd5oqxyxyzi neng neon neophyte nepenthe nephilim neptune neptune1 nermal nessie nesterov
    nesterova nestle netnwlnk netscape netvideo netware1 network1 network2 networkingpe netzwerk neuspeed neutrino
    neutron nevada never1 neveraga neveragain neverdie nevergiveup neverland neverman nevermin nevermind nevermor
    nevermore neverwinter nevets newark newbie newblood newburgh newcastl newday newdelhi newhaven newjerse newjersey
    newjob newlife newlife1 newlife2 newmedia newmexic newmexico newmoney newness newone neworder neworlea neworleans
    newpass newpass1 newpass3 newpass6 newpassw newpassword newpoint newport newport1 newports newproject2004 newshoes
    newspape newstart newstyle newuser newworld newyear newyork newyork1 newyork2 newyorke newzeala newzealand
    nextdoor nextel nexus nexus6 nezabudka nfhfrfy nfkbcvfy nfnmzyf nfnmzyrf nfvfhf nfvthkfy nfy.irf nfytxrf
    nhecsyfujkjdt nhfdvfnjkju123 nhfkbdfkb nhfrnjh nhfrnjhbcn nhfycajhvths niang niao nibbles niceass niceday nicegirl
    niceguy nicerack nicetits nichola nicholas1 nick1234 nickel nicklaus nickle nicksfun nicky1 nico nicola nicolas1
    nicolas2 nicole01 nicole1 nicole11 nicole12 nicole123 nicole18 nicole23 nicolett nietzsch nigga niggas niggaz
    nigger nigger1 nigger123 niggers nightcrawler nightfal nighthaw nighthawk nightime nightman nightmar nightowl
    nightshade nightwin nightwing nightwis nightwish nightwolf nihao123 nike nike1234 nikita nikita1 nikita123
    nikita1998 nikita2000 nikita95 nikita99 nikitin nikitina nikitos nikki1 nikki123 nikko niklas nikola nikolaev
    nikolaeva nikolaevna nikolai nikolaus nikolay nikolay9 nikon nilknarf nimbus nimitz nimrod nineball nineinch
    niners ning ninguna ninja ninja1 ninja123 ninjaman ninjas ninjutsu nintendo nintendo1 nintendo64 nipper nipple
    nipples nipples1 nippon nirvan nirvana nirvana1 nirvana9 nissan nissan1 nissan350z nitehawk nitemare nitram nitro
    nitrous nitrox nittany njdevils nji90okm nnmaster nnnnnnn1 noaccess nochance nocturne nofear nogard nohack04
    noisette nokia nokia1 nokia123 nokia2700 nokia3110 nokia3230 nokia3250 nokia3310 nokia5130 nokia5200 nokia5228
    nokia5230 nokia5300 nokia5310 nokia5320 nokia5530 nokia5610 nokia5800 nokia6120 nokia6131 nokia6230 nokia6230i
    nokia6233 nokia6300 nokia6303 nokia6500 nokia6630 nokia7070 nokia7610 nokia8800 nokiadermo nokiae51 nokian70
    nokian73 nokian95 noles1 nolimit nolimit5 nolimit8 nolimit9 nolimits nomad nomads nomar5 nomore noname noname123
    noncapa0 nondriversig nong nonmembe nonrev67 nonstop noodle noodles noodles1 nookie nopasaran nopass nopasswo
    nopassword normandy norseman northsta northstar northwes norwegen norwich nosaints nosferat nosferatu nosredna
    nostromo not4u2no not4you notagain note1234 notebook nothanks nothing0 nothing1 notnow notoriou notredam notredame
    nottingh nottoday notused notyours nounours novartis novastar novell novembre novifarm novikova noway nowayman
    nowayout nowwowtg nthvbyfnjh ntktajy ntktdbpjh ntktgepbr nuaddn9561 nuan nubian nude nudegirl nudelamb nudes
    nudist nudity nugget nuggets nuggets1 number1 number20 number6 number9 numberon numbnuts numlock nurlan nursultan
    nutella nutmeg nutsack nuttertools nvidia nwo4life nygiants nyjets nyknicks nylons nymets nympho nyranger nyyankee
    nyyankees o4izdmxu oakland oakland1 oakridge oaktree oasis oasis1 oatmeal obelix oberon obiwan oblivion obsessio
    obsidian obvious1 oc247ngucz ocarina ocean1 oceans oceans11 ocelot octavian october1 october2 october3 october6
    october7 october8 octopus octopuss oddworld odgez8j3 odin odinthor odt4p6sv8 odysseus odyssey oedipus ofclr278
    ofcourse offroad offsprin ohbaby ohiostat ohiostate ohmygod ohshit ohyeah oicu812 oilers oilman ojp123456 okmijn
    oksana oktober7 olcrackmaster oldfart oldman oldone oldpussy olds442 oldschoo oldschool oldskool oldsmobi
    oldsmobile oldspice oldtimer oleander oleg oleg1994 oleg1995 oleg1996 olegnaruto olemiss olemiss1 olenka olesya
    olga1976 oliveoil oliver oliver1 olivetti olivia1 olivier olivier1 ololo123 olympus omanko omega omega1 omega123
    omegaman omegared omerta omgkremidia omgwtfbbq omicron omnislash omsairam onelove onelove1 onepiece onetime onetwo
    onetwo12 onetwo34 onetwothree onion onions online online1 onlyme onlyone onlyone1 onlyone4 ontheoutside ontheroc
    ontherocks ooicu812 oooooo99 ooooooo1 opelagila opelastra open123 open1234 opendoor openit openme opennow opensesa
    opensesame openup openwide operatio operator opiate opopop11 optima optimist optimus optimus1 optiplex optiquest
    opus oqglh565 oracle oralsex orang orange orange01 orange1 orange10 orange11 orange12 orange22 orange44 orange77
    orange88 orange99 oranges oranges1 orchard orchid orenburg oreo orgasm orgasmic orgasms orgy orient oriflame
    orioles orioles1 orion orion1 orion123 orlando1 orochimaru orpheus orwell osama oscar1 oscar123 oscardog oscars
    osiris osprey othello otherside otter otters ou812 ou8122 ou8123 ou812345 ou8124me ousooner outback outkast outlaw
    outlaws outside1 outsider ovation overdriv overkill overlord ow8jtcs8t ownage ownage123 oxford oxymoron oyster
    ozlq6qwm ozzie ozzmosis ozzy p0015123 p030710p$e4o p0o9i8 p0o9i8u7 p0o9i8u7y6 p1234567 p2ssw0rd p3nnywiz p455w0rd
    p4ssw0rd p4ssword p@ssw0rd pa$$w0rd pa55w0rd pa55word pablo1 pablo123 pacers pachanga pacific1 pacifica pacino
    packard packard1 packer packers packers1 packers2 packers4 pacman paco paddle paddy padres paganini pagedown
    painkill painkiller paintbal paintball paintball1 painter1 paisley pajero pakalolo pakista pakistan pakistan1
    palace22 paladin paladin1 paladine palantir palenque palermo1 palladin pallmall palmeira palmeiras palmetto
    palmtree paloalto paloma palpatin pamel pamela1 panache panama panasoni panasonic panasonik pancake pancake1
    panchito pancho panda panda1 panda123 pandabear pandas pandemonium pandora pandora1 pandora2 pandoras pang
    pangolin panhead panorama panter pantera pantera1 pantera6 panther panther1 panther2 panther5 panther6 panther8
    panther9 panthers panthers1 pantie panties panties1 panties2 pantyhos pantyhose pantyman panzer paolo papabear
    papageno papamama paparoach papasmur papasmurf papaya paperboy papercli paperclip papercut paperino papichul
    papillon papit papito pappnase pappy parabola parachut paradigm paradise paradoks paradox paradoxx paragon
    paraklast1974 parallax paramedi paramedic paramore paramoun paranoya parcells parfilev paris1 paris123 parker01
    parker1 parker12 parkhead parkour parkside parkview parlament parliame parol parol123 parol999 parola parolamea
    paroll parolparol parrot parrothe parsifal partagas partizan partner1 partridg party1 partyboy partyman partytim
    pasadena pascal pasha123 pasport pass pass1 pass12 pass123 pass1234 pass1wor pass1word pass99 passat passat99
    passcode passfan passfind passion passion1 passions passking passmast passmaster passme passord passpage passport
    passssap passsword passthie passthief passw0r passw0rd passw0rd1 passward passwd passwerd passwor passwor1
    password password! password0 password00 password01 password1 password10 password11 password12 password123
    password1234 password13 password2 password21 password22 password23 password3 password4 password5 password6
    password69 password7 password8 password9 password99 passwords passwordstandard passwort paswoord pasword pasword1
    patagoni patata patate patatina patch123 patches patches1 pathfind pathfinder patit patric patrici patricio
    patrick0 patrick1 patrick2 patrick3 patrick5 patrick7 patrick8 patrick9 patrik patriot patriot1 patriots patriots1
    patrizia patrycja patryk pattaya patter patterso paul1234 paula123 paulaner paulchen paulie paulina1 paulinka
    pavel pavement pavilion pavlenko pavlik pavlov pavlova pavlusha payday payton34 pazzword pchealth pdiddy pdtplf
    pdtpljxrf peace1 peace123 peaceout peach peaches peaches1 peaches2 peachfuz peachy peacock1 peanu peanut peanut1
    peanut11 peanut12 peanutbutter peanuts peanuts1 pearl1 pearljam pearls peartree peavey pebble pebbles pebbles1
    pecker peddler pedigree pedro123 peekab00 peekaboo peeper peepers peepshow peewee peewee51 pegasus pegasus1
    peggysue pelican pelican1 pelikan penchair pencil pendejo pendrago pendragon penelopa penetrating penetration
    penfloor penfold peng penguin penguin1 penguin8 penguins penhorse penis penis1 penis123 penmouse pennstat
    pennstate penny1 penny123 pennydog pennywis pennywise pensacol pentable penthous pentium pentium1 pentium2
    pentium3 pentium4 pepito peppe pepper pepper01 pepper1 pepper11 pepper12 pepper123 pepper14 pepper76 pepsi pepsi1
    pepsi123 pepsicol pepsicola pepsiman pepsimax pepsione peregrin peresvet perfect1 perfecto performa pericles
    perkele pernille perro persepho pershing persik persona persona1 pertinant pervasive pervert pervert1 pescator
    peter01 peter1 peter123 peterbil peterbilt peterburg peternor peternorth peterose peterpan petite petra1 petrov
    petrova petrovich petrovna petrus petter petticoa petunia peugeot peugeot406 peyton18 pfchfytw pfhfnecnhf pfkegf
    pfloyd pfqxbr pfqxjyjr pfqxtyjr pgszt6md phaedrus phantasm phantasy phantom phantom1 phantom2 phantom3 phantom7
    phantoms pharao pharmacy phat phatfarm pheasant phenmarr pheonix pheonix1 phezc419hv phialpha philbert philipp
    philippe philips philips1 phillesh phillies phillip1 philly philmont phish phish1 phish123 phish420 phishing
    phishy phoeni phoenix phoenix0 phoenix1 phoenix2 phoenix3 phoenix5 phoenix7 phoenix8 phoenix9 phoneman photo1
    photog photogra photoman photon photos photosho photowiz phpbb phreak phydeaux pi314159 pian pianoman pianos piao
    piazza31 pic's picard picasso picasso1 piccolo piccolo1 picher picker pickle pickles pickles1 pickup pickwick pics
    pictere pictuers picture1 picturs piehonkii pieman piercing pietro pigeon piggies piggy piglet pigpen pikachu
    pikachu1 piligrim pillow pilot1 pilot123 pilsbury pilsner pimp pimpdadd pimpdaddy pimpdady pimphard pimpin
    pimpin69 pimping pimpjuic pimpjuice pimpshit pimpster pinarell pinball pineappl pineapple pineapple1 pinecone
    pinetree pinewood ping pinggolf pingpong pinguin pinguino pingvin pingzing pinhead pink pinkerto pinkfloy
    pinkfloyd pinkpant pinkpuss pinkpussy pinky pinky1 pinky123 pinnacle pinoyako pintail pioneer pioneer1 pioner
    pipeline piper1 pipers pipeutvj pipiska pippen pippen33 pippo piramida piramide pirate pirates pirates1 pirrello
    pisces pisser pissing pissoff pissword pistache pistol piston pistons pistons1 pitbull pitbull1 pitbulls pitcher1
    pitchers pittbull pittsbur pitures pixie pixies pizda pizdec pizza pizza1 pizza123 pizzaboy pizzahut pizzaman
    pizzapie pizzas pjcgujrat pjflkork pjkjnj placebo placid planet planeta plankton planner plasma plastic plastic1
    plastics plat1num platinum plato platon platypus play2win playa playball playboy playboy1 playboy2 playboy6
    playboys player player1 player69 playful playgirl playgolf playgrou playhard playmate playstat playstation
    playstation2 playstation3 playtime please1 pleaseme plhy6hql plokij plokijuh ploppy plumber plumber1 pluto pluto1
    pluton plymouth pmdmscts pmdmsctsk pmtgjnbl pobeda pochta poi098 pointman poison poiu0987 poiu1234 poiulkjh poiuyt
    poiuytrewq pokemo pokemon pokemon00 pokemon1 pokemon12 pokemon123 pokemon2 pokemons poker1 poker123 pokerface
    pokerman pokesmot pokey pokey1 polarbea polarbear polaris polaris1 polaroid polgara police police1 police22
    policema polina polinka polkadot polkaudi polkaudio pollux polly1 polly123 polniypizdec0211 polniypizdec110211
    polo polo1234 polopolo09 polska pomidor pommes pompey pon32029 poncho pondscum pong pontiac pontiac1 pony ponyboy
    poobear pooch poochie poochie1 poodle pooh poohbea poohbear poohbear1 pookey pookie pookie1 pookie11 pookster
    pooky pool6123 poontang poop poop123 pooper poopface poophead poopie poopoo poopsie poopy poopy1 poopypan pooter
    popcorn popcorn1 popeye popova popper poppie poppy poppy1 poppy123 poppydog poptart poptarts porkchop porky
    porkypig porn porn123 porn1234 porn4life porn4me porn69 pornclub pornking pornlove pornlover porno porno1 porno123
    pornogra pornografia pornographic pornoman pornos pornosta pornostar pornpass pornsite pornstar porol777 porosenok
    porpoise porsche porsche1 porsche2 porsche9 porsche911 porsches porshe portishead portland portsmou portugal
    portvale poseidon positano positivo possum postal postbank postman postov10 postov1000 posture potapova potato
    pothead potsmoke poulette pounded pourquoi powder power1 power123 power666 powerade powerboo powerhou powermac
    powerman powerpla powerstr ppppppp1 ppspankp pqnr67w5 pr1ncess prancer prashant praxis preacher preciosa precious
    precious1 precisio predator prelude prelude1 prelude9 premier1 premium premiumcash presario presiden prestigio
    presto preston1 pretende prettybo prettyboy prettygirl pretzel pridurok prima primal primaver primavera prime1
    primetim primetime21 primrose primus princ prince prince1 prince11 prince12 princes princesa princesit princess
    princess1 princessa princesse princeto principa principe pringles printer printer1 priscill prisonbreak prissy
    privat private private1 private5 privet privet123 priyanka pro100 probes problemas process1 prodigy prodigy1
    producti profesor professo proghouse programm project1 prokuror promethe promopas prophet prophet1 prosper
    prospero prosto prostock prostreet proton protools protoss prototyp protozoa proverbs providen providian proview
    provista prowler proxy prozac prufrock ps253535 psw333333 psychnau psychnaut1 psycho psycholo psylocke ptfe3xxp
    ptybnxtvgbjy puck puddin pudding pudding1 puddles puertori puertorico puffdadd puffer puffin puffy pufunga7782
    pugsley puissant pullings pulsar pumkin pumper pumpkin pumpkin1 pumpkin2 pumpkins punani punisher punkass punker
    punkin punkrawk punkrock punksnotdead punter punter12 pupkin puppies puppy puppy1 puppydog puppys pupsik puravida
    purdue pureevil purgator purpl purple purple01 purple1 purple11 purple12 purple13 purple69 pushistik pushkin
    pushok puss pussey pussie pussies pusssy pussy pussy1 pussy101 pussy123 pussy2 pussy4me pussy69 pussybitch
    pussyboy pussycat pussyeat pussyeater pussyfuck pussygal pussykat pussylic pussylick pussylicker pussylip pussylov
    pussylover pussyman pussys pusyy putamadre putangina putter pxx3eftp pyon pyramid pyramid1 pyramid7 pyramide
    pyramids python q11111 q12345 q123456 q1234567 q12345678 q123456789 q1234567890 q123456q q1q2q3 q1q2q3q4
    q1q2q3q4q5 q1w2e3 q1w2e3r q1w2e3r4 q1w2e3r4t q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8
    q1w2e3r4t5y6u7i8o9p0 q2w3e4 q2w3e4r5 q8zo8wzq qawsed qawsed123 qawsedrf qawsedrftg qawsedrftgyh qaywsx qaz123
    qaz12345 qaz123456 qaz123wsx qaz123wsx456 qaz12wsx qaz1wsx2 qaz741 qazedc qazedctgb qazplm qazqaz qazqaz123
    qazsedcft qazws qazwsx qazwsx1 qazwsx11 qazwsx12 qazwsx123 qazwsx1234 qazwsx12345 qazwsxed qazwsxedc qazwsxedc1
    qazwsxedc12 qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxcdew qazxcdews qazxcv qazxcvbn qazxcvbnm qazxsw qazxsw12
    qazxsw123 qazxsw21 qazxswed qazxswedc qazxswedc123 qazxswedcvfr qazzaq qcmfd454 qcxdw8ry qian qiang qiao qing
    qiong qmezrxg4 qmpq39zr qpalzm qpful542 qpwoeiruty qq123123 qq123456 qq123456789 qqq111 qqqq1111 qqqqq1 qqqqqq1
    qqqqqqq1 qqqqwwww qqqwww qqqwwweee qqwwee qqwweerr quackers quagmire quake quake3 quaker quality1 quan quant4307
    quant4307s quantum quantum1 quaresma quartz quasar quattro quattro6 queen1 queenas8151 queenbee queens queequeg
    quest quest1 quicksan quicksil quicksilver quietkey quiksilv quiksilver quincunx quintain quixotic quovadis
    qw123456 qw12er34 qwaszx qwaszx11 qwaszx12 qwaszx123 qwaszxedc qwaszxerdfcv qwaszxqw qwe123 qwe123456 qwe1234567
    qwe123asd qwe123qwe qwe123rty qwe321 qweasd qweasd12 qweasd123 qweasdqwe qweasdzx qweasdzxc qweasdzxc1
    qweasdzxc123 qwedcxzas qwedsa qwedsazxc qweewq qweqwe qweqwe12 qweqwe123 qwer12 qwer1209 qwer123 qwer1234
    qwer12345 qwer4321 qwerasdf qwerasdfzxcv qwerfdsa qwert qwert1 qwert12 qwert123 qwert1234 qwert12345 qwert40
    qwert54321 qwertasd qwertasdfg qwertasdfgzxcvb qwertgfdsa qwerttrewq qwerty qwerty00 qwerty01 qwerty02 qwerty09
    qwerty1 qwerty10 qwerty100 qwerty11 qwerty111 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456
    qwerty123456789 qwerty13 qwerty2 qwerty2010 qwerty21 qwerty22 qwerty23 qwerty32 qwerty321 qwerty33 qwerty66
    qwerty666 qwerty69 qwerty7 qwerty77 qwerty777 qwerty78 qwerty789 qwerty88 qwerty89 qwerty99 qwerty999 qwertyas
    qwertyasd qwertyasdfgh qwertyu qwertyu1 qwertyu123 qwertyu8 qwertyui qwertyuio qwertyuiop qwertyuiop1 qwertyuiop10
    qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyytrewq qwertz qwertzui qwertzuiop qwerzxcv qwest123 qwezxc
    qzwxecrv r1234567 r2d2 r2d2c3p0 r2d2c3po r3ady41t r3vi3wpass r4e3w2q1 rabbit rabbit1 rabbit66 rabbit69 rabbits
    rabota racecar racecar02 racecar1 racecars racer racer1 racers racerx rachael1 rachel1 rachel69 racing racoon
    radagast radar1 radeon radiance radiatio radical1 radio1 radio123 radiohea radiohead radioman raduga raffaele
    raffaello raffles ragman ragnar ragnarok raiden raider raider12 raiders raiders1 raiders2 rainbow rainbow1
    rainbow2 rainbow6 rainbow7 rainbows raindrop rainier rainmake rainmaker rainman rainman1 raintree rainyday raisin
    raistlin rajesh rakesh raketa rakkaus raleigh1 ralliart ralph1 ralphie ralphy ram1500 ramada ramazan rambler
    rambler1 rambo rambo1 rambo123 ramjet rammstei rammstein rammstein1 ramones rampage ramrod ramses ramstein ramzes
    ranchero rancid random random1 random123 randy1 ranetki rang ranger ranger01 ranger02 ranger1 ranger11 ranger12
    ranger21 ranger69 ranger75 ranger98 ranger99 rangerover rangers rangers1 rangers2 rangers9 rapier raptor raptor22
    raptors rapture rapunzel rascal rasdzv3 rasengan rasmus raspberr rasputin rasta rasta1 rasta220 rasta69 rastafar
    rastafari rastaman raster rastus ratboy ratdog ratfink ratman rattler rattlers rattlesn rattolo58 rattrace raven
    raven1 raven123 ravens rawhide rawiswar rayman raymond1 razdvatri raziel razor razorbac razz razzle rb26dett
    rbcekz rbhbkk rctybz rdfhnbhf rdgpl3ds reader ready2go realdeal realgood realmadr realmadri realmadrid realtime
    realtor reanimator reaper reaver rebbyt34 rebecca1 rebecca2 rebel rebel1 rebellio rebels rebelz reboot reborn
    reckless recon red123 red12345 redalert redapple redbarch redbaron redbeard redbird redbirds redbone redbull
    redbull1 redcar redcar27 redcloud redcross reddevil reddevils reddog reddog1 reddrago reddragon reddwarf redeemed
    redeemer redeye redfish redfish1 redfive redfox redgreen redhat redhawks redhead redhead1 redheads redhorse redhot
    redhouse redknapp redlands redleg redlight redline redman redneck redneck1 redone redrider redriver redrobin
    redrock redrocke redrose redroses redrover redrum redryder reds redshift redshoes redskin redskin1 redskins
    redskins1 redsox redsox04 redsox1 redsox11 redsox12 redsox19 redsox20 redsox24 redsox99 redstar redstone redstorm
    redtruck redvette redwall redwhite redwine redwing redwing1 redwings redwings1 redwolf redwood redwood1 reebok
    reefer reeses refinnej reflex regal reggae reggie31 reglisse rehbwf rehjgfnrf rekbrjdf reliant reload reloaded
    rembrand remingto renat renault renee1 renegade renfield reng repmvbyf repoman reptile repvtyrj repytwjd repytwjdf
    repytxbr requiem rerehepf rereirf rerfhfxf rerfhtre rescue residentevil resolute respublika restart restaura
    retard retired1 retsam revelati revenant review69 reviewpa reviewpass revival47 revoluti revolver reznor
    rfcgthcrbq rfgbnjirf rfgecnf rfgecnfcerf rfgtkmrf rfhbyf rfhbyjxrf rfhectkm rfhfgep rfhfntkm rfhfrfnbwf rfhfufylf
    rfhfvtkm rfhfvtkmrf rfhfylfi rfhfynby rfhjkbyf rfhlbyfk rfhnjirf rfkbybyf rfkbyf rfkmrekznjh rfktylfhm rfnfcnhjaf
    rfnfgekmnf rfnfhbyf rfnthbyf rfnthbyf1988 rfnthbyrf rfntymrf rfpfyjdf rfpfynbg rfrfirf rfrnec rfvbrflpt rfvfcenhf
    rfvtgbyhn rfvxfnrf rfybreks rfycthdf rhapsody rhbcnbyf rhbcnbyjxrf rhfcbdfz rhfcfdbwf rhfcfdxbr rhfcjnf rhfcjnrf
    rhfcyjlfh rhfcyjzhcr rhfdxtyrj rhfvfnjhcr rhind101 rhino rhino1 rhinos rhjkbr rhjrjlbk rhtdtlrj rhtyltkm rhubarb
    ribbit ricard ricardo1 riccardo rice80 ricflair richar richard0 richard1 richard2 richard3 richard4 richard7
    richard8 richard9 riches rickster ricky1 ricochet riddler riesling riffraff rifleman rigger rightnow righton
    rikimaru riley1 rileydog rincewin rincewind ringding ringo ringo123 riobravo riogrand ripken ripper ripple riptide
    riptide1 river1 river123 riverplate riverrat riversid rjcntyrj rjcvjc rjdfkmxer rjdfktdf rjdfktyrj rjhjdf rjhjkm
    rjhjkmbien rjhjktdf rjirfrgbde rjitxrf rjntyjr rjntyjxtr rjnzhf rjrfrjkf rjvgm.nth rjyatnrf rjycnbnewbz rjycnfynby
    rjyjgkz rkbvtyrj rkfdbfnehf rktjgfnhf rlzwp503 rmracing roaddogg roadkill roadking roadrage roadrash roadrunn
    roadrunner roadstar roadster roadtrip roadway rob123 rober robert01 robert1 robert11 robert12 robert123 robert19
    robert2 robert22 robert23 robert99 roberta1 roberto1 roberts1 robertso robin1 robin123 robinhoo robinhood robocop
    robot robotech robotics rocawear rochard rocheste rockandr rockbott rockbottom rockcity rocker rocket rocket1
    rocket21 rocket69 rocket88 rocketma rocketman rockets rockets1 rockey rockfish rockford rockhard rockhead
    rockhopper rockie rockies rockin rockman rocknrol rocknroll rockon rockport rockroll rocks rocks1 rockshox
    rockstar rockstar1 rocky1 rocky123 rocky2 rockyboy rockydog rockytop rodent rodeo rodina rodion rodman rodman91
    roflcopter roger1 roger123 rogue rogue1 roland1 roleplay rolex roller rollin rollover rollrock rolltide rolltide1
    roma1990 roma1993 roma1995 roman1 roman123 roman222 roman777 romance1 romanenko romanov romanova romans romanson
    romantik romantika romario romashka romeo1 romeo123 rommel romulus ronald1 ronaldinho ronaldo ronaldo1 ronaldo7
    ronaldo9 ronaldo99 rong roodypoo roofer rookie rooney10 roosevel rooster rooster1 roosters rootbeer rootedit
    rooter rosebowl rosebud rosebud1 rosebud7 rosebudd rosebuds rosedale rosehill rosemari rosenrot rosewood rosie1
    rossella rossigno rostislav rostov roswell rotary rothmans rotten rotterda rottweil rounders route66 router rover
    rover1 rovers rovnogod rowdy roxanne1 royals royboy roygbiv roykeane rrpass1 rrrrrrr1 rsalinas rt6ytere rtyuehe
    ruan rubber rubberdu rubble rubicon rubyrose rudeboy ruffles ruffneck ruffryde rufus1 rugby1 rugby123 rugbyman
    ruger rugger rugrat rugrats rulesyou rulez rulezzz rumble runaway rundmc runescape runescape1 runner running1
    rush2112 rushmore ruslan ruslan123 russell1 russell2 russia russian7 russland rustam rusty1 rusty123 rusty2
    rustyboy rustydog rutabega rvgmw2gl ryjgjxrf ryjgrf rz93qpmq s12345 s123456 s1234567 s12345678 s123456789 s1s2s3s4
    s456123789 s5r8ed67s s7fhs127 s9te949f saab900 saab9000 sabaka sabbath sabbath1 sabian sabine sable sable1 sabre
    sabres sabrin sabrina1 sachin sacramen sacrific sadie1 sadiedog sadomaso safari safeu851 safeway saffron sagitari
    sahara saibaba saigon sailaway sailboat sailfish sailing sailing1 sailor sailor1 sailormo sailormoon saints sairam
    saisg002 saiyan sakura salamand salamander salamandra salami salasana saleen salinger salisbur sallas sally1
    sally123 salman salmon salomon salope salsero saltanat saltlake saltydog salvatio salvator sam123 sam138989
    samadams samanta samanth samanth1 samantha samantha1 samarkand samatron samba sambo samdog samhain samiam samir
    samm sammi sammy1 sammy123 sammyboy sammycat sammydog sammys samoht sampson1 samson samson1 samsun samsung
    samsung1 samsung123 samsung2 samsung9 samtron samue samuel1 samuel12 samurai samurai1 samuraix sanandreas sanane
    sananton sanchez1 sancho sanctuar sandeep sanders1 sanders2 sandiego sandman sandman1 sandmann sandokan sandr
    sandra1 sandrine sandro sandrock sandy1 sandy123 sandydog sandys sanfran sanfrancisco sangeeta sanity sanity72
    sanity729 sanjay sanjose sanpedro santa234 santacla santacru santafe santana1 santana5 santeria santiag santino
    santorin saopaulo saphire sapper sapphic sapphire saqartvelo sarah1 sarah123 sarajane sarajevo sarasota saratoga
    saratov sargsyan sasafras sascha sasha1 sasha123 sasha1234 sasha12345 sasha1988 sasha1992 sasha1993 sasha1994
    sasha1995 sasha1996 sasha1997 sasha2000 sasha2010 sasha2011 sasha777 sasha_007 sashadog sashenka sashka saskatoo
    saskia sasquatc sassie sassy sassy1 sassy123 sassycat sassydog sasuke sat321321 satan satan1 satan666 satana
    satana666 satanas sataniv1993 satchel satchel1 satchmo satelite satellit sativa satori satriani saturn saturn1
    saun saun24865709 sauron sausage sausage1 sausages savannah1 savatage savchenko save13tx savior sawdust saxman
    saxophon sayang sayangku sc0tland scamper scania scanner scanner1 scarab scarecro scarface scarface1 scarlet
    scarlet1 scarlets sceptre schalke schalke0 schalke04 schastie schatzi scheisse schlampe schlange schlumpf schmidt1
    schnecke schneide schnuffi school1 school12 schoolgirlie schorsch schreibe schroede schule schumach schumi schwanz
    schweden schwinn science1 scimitar scirocco scoobie scooby scooby1 scooby11 scooby12 scoobydo scoobydoo scoote
    scooter scooter1 scooter2 scooter5 scooter6 scooter7 scooters scorelan scoreland scorpi scorpian scorpio scorpio1
    scorpio2 scorpio6 scorpio7 scorpion scorpions scorpius scotch scotland scotsman scott1 scott123 scottie1 scotts
    scottsda scottt scotty scoubidou scoubidou2 scoubidou6 scout scout1 scrabble scrapland scrapper scrappy scrappy1
    scratch1 scream screamer screwbal screwy screwyou scribble scrooge scrotum scruffy scruffy1 scuba scuba1 scubadiv
    scubaman scubapro scuderia scully sd3lpgdr sd3utre7 sdsadee23 seabass seabass1 seabee seadog seadoo seagrams
    seagrave seagull seagulls seahawk seahawks seahorse sealteam seamus seanjohn searay searcher searchin searock6
    seashell seashore seaside seatleon seattle seattle1 seattle2 seaweed seawolf sebastia sebastian1 sebastie
    sebastien sebora sebora64 sebring sebring1 secre secret secret1 secret12 secret123 secretar section8 security
    security1 sedona seductive seeker seemnemaailm segblue2 segreto seinfeld sekirarr sekret select selfok2013
    selhurst selmer semenova seminole seminoles semper semperf1 semperfi semprini senators seneca seng senha123 senna
    sensatio sensei sentinal sentinel sentra sentry sephirot sephiroth septembe septembr septiembr sepultur sepultura
    serafima seraphim serega serega123 seren serenada serendip serendipity serenity sergbest serge sergeeva sergeevna
    sergei sergej sergey sergey123 sergi serious1 serpent sersolution server servette service01 service1 service321
    sesame sestra sevastopol seven7 seven77 seven777 sevendus sevenof9 sevens seventee seventy7 severin severine
    sevilia1 seville sevisgur seviyi sex123 sex12345 sex4free sex4me sex69 sexaddict sexdrive sexfiend sexfreak sexgod
    sexiness sexisfun sexisgood sexkitte sexkitten sexlover sexmachine sexman sexmania sexo sexpistols sexpot sexsells
    sexsex sexsexse sexslave sexstuff sextoy sexual sexx sexxx sexxxx sexxxxxx sexxxy sexxy sexy sexy1 sexy12 sexy123
    sexy1234 sexy69 sexyass sexybabe sexybaby sexybeas sexybeast sexybitc sexybitch sexyboy sexyfeet sexygirl
    sexygirls sexylady sexylegs sexylove sexymama sexyman sexyme sexyone sexyred sexyred1 sexytime sexywife sf49ers
    sfgiants sh4d0w3d shabba shado shadow shadow00 shadow01 shadow1 shadow10 shadow11 shadow12 shadow1212 shadow123
    shadow13 shadow14 shadow2 shadow22 shadow23 shadow69 shadow88 shadow99 shadowfa shadowfax shadowma shadowman
    shadowru shadows1 shady shady1 shag shaggy shahrukh shai shaker shakespe shakur shalimar shalom shaman shamanking
    shameles shamil shampoo shampoo1 shamrock shamus shandy shane1 shane123 shaney14 shang shania shannara shanno
    shannon1 shannon2 shanny shao shaolin shaolin1 sharingan sharipov shark shark1 sharkman sharks sharky sharon1
    sharon69 sharpie shashank shasta shaved shawn1 shawshan shazam shdwlnds shearer9 sheba1 shedevil sheeba sheepdog
    sheffiel shei shelby shelby1 sheldon1 shelley1 sheltie shemale shemales shen sheng shenlong sherbert sherlock
    sherman1 shevchenko shibainu shibby shibumi shifty shiloh shimano shimmer shinchan shiner shinigam shinigami
    shinji shinobi shipmate shiraz shirley1 shitball shitbird shitface shitfuck shithappens shithead shithead1
    shithole shitter shitty shiznit shock123 shocker shocker1 shockers shockwav shodan shogun shojou shokolad shonuf
    shooter shooter1 shopper shopping1 shortdog shortman shortsto shorty shotgun shotgun1 shotokan shou showboat
    showme showtime shredder shrike shrike01 shroom shuai shuan shuang shui shumaher shun shuo shurik shuriken shutup
    shygirl1 shyguy sibelius sickboy sidekick sideshow sidewind sidewinder sidorova siegheil siemens siemens1 sienna
    sierra sierra01 sierra1 siffredi sigma sigma1 sigmachi sigmar signatur sigsauer silence1 silencer silenthill
    silicone silkeborg silly1 sillyboy silmaril silve silver silver01 silver1 silver11 silver12 silver22 silver33
    silver69 silver77 silver99 silverad silverado silverch silverfi silverfo silverfox silverma silversi silverst
    silvestr silvi simba simba1 simba123 simbacat simcity simferopol simon1 simon123 simonsay simple simple1
    simpleplan simpson1 simpsons sinatra sinatra1 sinbad sincity sinfonia sinful singapor singapur single1 sinister
    sinjin sinned sinner sinnfein sintesi07 siouxsie sirius sissinit sissy sissyboy sisyphus sithlord sixers sixflags
    sixpack sixty9 sixtynin sixtynine sizzle sk84life sk8board sk8ordie sk8ter skate skate123 skateboa skateboard
    skater skazka skeeter skeeter1 skeletor skibum skidmark skidoo skiing skillet skillz skinhead skinnass skinner1
    skinny skins skipjack skipper skipper1 skippy skippy1 skittles skolko skorpion skorpion39 skulls skunk skyblue1
    skyblues skydive skydive1 skydiver skyeseth skyhawk skylar skylark skyler skyline skyline1 skynet skypilot
    skytommy skywalk1 skywalke skywalker slacker slacker1 slacking slagelse slainte slamdunk slammer slapnuts slapper
    slappy slapshot slasher slava slava123 slave slave1 slaveboy slavik slayer slayer1 slayer66 slayer666 slayer69
    slayers1 sleeper sleepers sleepy sleipnir slicer slick slick1 slick123 slickone slickric slider slim slimed123
    slimjim slimshad slimshady slinky slipkno slipknot slipknot1 slipknot666 slipper slipper1 slippery slippy sliver
    sloneczko slonik slot2009 slowhand slowpoke slowride slugger sluggo slut slut69 slutfuck sluts sluttey slutty
    slutwife smackdow smackdown smalldog smallfry smalltit smallvil smallvill smallville smart1 smartass smarties
    smarty smashing smeghead smegma smeller smelly smellyfe smile1 smile123 smile4me smiles smiley smirnoff smirnov
    smirnova smith1 smith123 smiths smithy smitty smoke smoke1 smoke420 smokedog smokeone smokepot smoker smokes
    smokewee smokeweed smokey smokey01 smokey1 smokey12 smokie smokin smolensk smooch smooches smoochie smooth smooth1
    smoothie smother smudge smuggles smurf smut smutty snafu snake snake1 snake123 snakebit snakeeye snakeeyes
    snakeman snakes snapon snapper snapper1 snapple snappy snapshot snatch sneaker sneakers sneaky snicker snickers
    snickers1 sniffer snikers sniper sniper01 sniper1 sniper12 snoogans snoogins snooker snookie snoop snoopdog
    snoopdogg snoopy snoopy1 snoopy12 snoopy69 snowball snowball1 snowbird snowboar snowboard snowdog snowdrop
    snowflak snowflake snowhite snowman snowman1 snowmass snowshoe snowstor snowwhit snowwhite snowy snuffles snuffy
    snuggle snuggles snuggles1 snusmumrik sobaka sober1 soboleva sobriety socce soccer soccer09 soccer1 soccer10
    soccer11 soccer12 soccer123 soccer13 soccer14 soccer15 soccer16 soccer17 soccer18 soccer19 soccer2 soccer20
    soccer21 soccer22 soccer33 soccer69 soccer77 soccer99 sochi2014 socrate socrates sodapop sofaking sofiya softail
    softball softball1 softcore softtail software sojdlg123aljg sokolov sokolova sokrates solace solaris soldat
    soldier soldier1 soleda soleil solidsna solidsnake solitair solitari solitude solnce solnishko solnyshko solomon1
    solrac solstice something1 sommer sonata sonechka songbird songline songohan songoku sonic sonic1 sonic123 sonics
    sonne sonnenschein sonny1 sonnyboy sonofgod sonofsam sonoma sonora sonshine sony sony1234 sonyericsson sonyfuck
    sonyvaio sooners sooners1 sophi sophie sophie01 sophie1 sophie12 sophieh6 soprano sopranos sorcerer sordfish
    soreilly sorokina sorrento sosiska soso123aljg soulfly soulmate sound1 soundman soundwav souschef southbay
    southpar southpark southpaw southsid southside southwes sovereig sowhat space1 space199 spacebal spacebar spaceboy
    spacejam spaceman spade1 spagetti spaghett spam spam967888 spaniel spank spanker spanking spankme spankme1 spanky
    spanky1 spanner spanner1 spanners sparhawk sparkey sparkle sparkle1 sparkles sparkplu sparky sparky01 sparky1
    sparky11 sparky12 sparky99 sparrow1 sparta spartacu spartak spartak1922 spartan spartan1 spartan11 spartan117
    spartans sparticu sparty spawn spawn666 speaker speaker1 specboot special1 speciali specialinsta specialk spectre
    spectre1 spectrum speculum speed1 speedo speedrac speedster speedy speedy1 spencer1 spencer2 spencer5 sperma
    sphinx spice spice1 spide spider spider1 spider10 spider12 spiderma spiderman spiderman1 spiderman3 spidey spiffy
    spike spike1 spike123 spiker spikes spikey spinnake spinner spiral spirit spitfire splash splatter spleen spliff
    splinter splitter splurge spock spock1 sponge spongebo spongebob spooge spook spooky spoonman spoons sport1
    sport123 sportage sports1 sportste sportster sporty spotligh spotty sprewell spring spring00 spring12 spring99
    springst sprint sprinter sprite sprocket sprout spud spunk spunky spurs spurs1 spurs123 sputnik sputnik1 spyder
    spyglass sqdwfe squall squash squeak squeaker squealer squerting squid squirrel squirt squirter squirtle squirts
    sr20dett srilanka srinivas ssbt8ae2 ssptx452 sssssss1 ssvegeta st0n3 staind stairway stalin stalingrad stalker
    stalker1 stalker123 stalker2 stallion stallone stamford stampede standart standby standrew stang stanisla
    stanislav stanley1 stanley2 staples1 star star1 star12 star123 star1234 star69 starbase starbuck starbucks
    starburs starcraf starcraft stardust starfire starfish starflee starfleet starfox starfuck starfury stargate
    stargaze stargazer stargirl starligh starlight starline starlite starman starship starsky start1 start123 starter
    startnow startrek startrek1 starwar starwar1 starwars starwars1 starwood stasik static station1 station2
    statistika stayout stealth stealth1 steam181 steamboa steamforums steaua steel1 steeler steeler1 steelers
    steelers1 steelhea stefano steffi steinway stella1 stella12 stellar stellina stepan stepanov stepanova stepashka
    steph steph123 stephani stephen1 stephy stepside stereo sterlin sterva steve1 steve121 steve123 steven1 stevenso
    steveo steves stewart1 sthgrtst stickboy stickdaddy77 stickman sticks sticky stiffy stigmata stiletto stillers
    stillher stimorol stimpy sting sting1 stinger stinger1 stingers stingray stinker stinker1 stinky stinky1
    stinkyfinger stitch stockcar stockhol stocking stockpor stocks stokecit stokrotka stomatolog stone1 stone55
    stonecol stonecold stoned stones stonewal stoney stooge stooges stopit stoppedb stoppedby storm storm1 stormbri
    stormy storys stpiliot str8edge strange1 stranger strannik strap strat stratcat stratfor strato stratoca
    stratocaster stratus stratus1 strawber strawberry straycat streaker streaming streetball strekoza strelok strider
    strider1 strife strike striker striker1 strip4me stripclub stripe striper stripper stroker stroller strongbo
    structur strummer strutter stryker stubby stud student1 studio54 studioworks studly studman studmuff studmuffin
    stuffer stumpy stunner stunner1 stuntman stupid stupid1 stupid12 stuttgar stylus suan subaru sublime sublime1
    submarin submissi submit subway subwoofer subzero subzero1 succes success success1 success2 suck suckcock suckdick
    sucker sucker69 suckers suckfuck suckit suckit69 suckme suckmeoff suckmy1k suckmyco suckmycock suckmydi suckmydick
    sucks suckthis sudhakar suede sugar sugar1 sugarbea sugarbear sugardog sugarray sugars suikoden sukebe sully
    sultan sumitomo summe summer summer00 summer01 summer02 summer03 summer04 summer05 summer06 summer07 summer08
    summer1 summer10 summer11 summer12 summer13 summer20 summer22 summer69 summer98 summer99 summerti summertime
    summit summoner sunbanna sunbeam sunbird sunburst sundance sunday sundaypunch sunderla sundevil sundown sunfire
    sunflowe sunflower sunghile sunkist sunlight sunny1 sunny123 sunnyboy sunnyday sunnysid sunrise sunrise1 sunset
    sunsh1ne sunshin sunshin1 sunshine sunshine1 suntzu super super1 super12 super123 superb superbad superbee
    superbow superboy supercal supercar supercat supercoo supercop superdav superdog superdude superdup superduper
    superfly superfre supergir supergirl superjet superma superma1 superman superman1 superman12 superman123 superman2
    supermanboy supermar supermario supermax supermen supermom supernov supernova superpuper supers supersex superson
    supersonic supersta superstar superted supertra support1 supra sureno13 sureshot surf surfboar surfcity surfer
    surfer1 surfer69 surfing surfing1 surfside surfsup surrende surveyor survivor susan1 susanne1 sushi sushi1 susieq
    suslik suspende sustanon suzanne1 suzuki sverige sveta sveta123 svetasveta svetik svetka svetlana svetlanka
    svoboda swallow swallows swampfox swampy swanky swansong swatch swatteam swede sweeps sweet1 sweet123 sweet16
    sweet666 sweetass sweetdream sweetgirl sweethea sweethear sweetie1 sweeties sweetnes sweetness sweetpea sweetpus
    sweetpussy sweets sweetu70 sweety swetlana swifty swimmer swimmer1 swimming swinger swinger1 swingers swinging
    swissair swoosh sword sword123 swordfis swordfish swords swordsma sycamore sydney sydney1 sydney12 sylvania
    sylveste symantec syncmast syncmaster syndicat synergy syracuse syrinx sys64738 sysadmin system1 system12 system32
    systemofadown syzygy t34vfrc1991 t3fkvkmj tabaluga tabasco tabbycat table54781 tabletop taburetka tacit taco
    tacobell tacoma tadmichaels tadpole taekwond taekwondo taffy taganrog tagheuer tahiti tahoe taichi tailgate
    tailhook taipan tajmahal takamine takashi takayuki take8422 takedown takehana talgat taliesin talisker talisman
    talktome tallulah talon talonesi tamerlan tammy1 tampabay tamplier tamuna tamwsn3sja tanechka tanelorn tangerin
    tangerine tango tango1 tango123 tanker tannenbau tanstaaf tantra tanushka tanya1 tanya123 tanyshka tarakan
    tarantul tarasova taratata tardis target tarheel tarheel1 tarheels tarpon tartan tarzan tasha1 tashkent tassadar
    tasty tatarin tater tatertot tatiana1 tatjana tatooine tattoo tatyana taurus taxman taylo taylor01 taylor1
    taylor11 taylor12 taylorma tazdevil tazman tazmania tazz tbird tbone tcglyued tdeir8b2 tdfyutkbjy tdutybq tdutybz
    teabag teacher teacher1 teamlosi teamomuch teamster teamwork teaparty teapot teardrop teaser techdeck techn9ne
    technica technici technics techno technolo tecktonik tecumseh teddy1 teddy123 teddybea teddybear teejay teen
    teenfuck teengirl teenie teenlove teens teensex teenslut teiubesc tekken telecast telecaster telecom telefon
    telefone telefono telefoon telemark telephon teleport telescop televisi televizor tema1234 temitope temp temp123
    temp1234 tempest tempest1 templar templar1 temporar temppass temppassword temptress tenchi tenerife teng tennesse
    tennis tennis1 tennis11 tennis12 tenorsax tentacle tequier tequiero tequila tequila1 tequilla terefon teres
    terminat terminato terminator termite terorist terran terrapin terrell1 terrier terriers terror terry1 terry123
    test test1 test11 test12 test123 test1234 test2 testdrive teste tester testerer testibil testicle testing testing1
    testing123 testing2 testpass testuser tetris tetsuo teufel teufelo7 texaco texans texas1 texas123 texass tgbxtcrbq
    tgkbxfgy thailand thanatos thankgod thankyou thanos thatsme thebeach thebear thebears thebeast thebeatl thebeatles
    thebest theblues theboss theboys thecakeisalie thecat thechamp theclash theclown thecount thecrow thecure thecure1
    thedevil thedog thedon thedoors thedream thedude theduke theedge theend theflash theforce thegame thegame1
    theghost thegirls thegreat thejoker thekid thekiller theking theking1 thekiwi1 thelast1 theman theman1 theman22
    themaste themaster thematri thematrix theone thepower theraven theresa1 theriver therock therock1 thesaint theshit
    thesims thesims2 thesims3 thesnake thestone thetachi thething thetruth thewall thewho theworld thicknes thierry
    thinkbig thinker thinkpad thinline thirdeye thirteen thisisit thisisme thissuck thissucks thistle thoma thomas01
    thomas1 thomas10 thomas11 thomas12 thomas123 thomas13 thomas19 thomas21 thong thongs thor thor5200 thoradin
    thorsten thrawn threesom throatfuck throbber thuglife thuglove thugstools thumbnils thumbs thumper thumper1
    thunder thunder0 thunder1 thunder2 thunder3 thunder5 thunder6 thunder7 thunder9 thunderb thunderbird thunderc
    thunders thvfrjdf thx1138 tiamat tian tiao tiberian tiberium tiberius tiburon tiburon1 tical ticketmaster tickle
    tickleme tickler tickling ticklish ticktock tictac tiffan tiffany1 tiffany2 tiger tiger1 tiger123 tiger2 tiger200
    tiger7 tigerboy tigercat tigereye tigerfan tigerlil tigerman tigerpaw tigers tigers01 tigers1 tigers11 tigers12
    tigertig tigerwoo tigerwoods tigge tigger tigger01 tigger1 tigger11 tigger12 tigger13 tigger2 tigger69 tigger99
    tightass tightend tights tigre tigrenok tigress tiktonik tim123 timber timberla timberland timberwo timberwolf
    timebomb timelord timeout timepass timeport timewarp timmy1 timmy123 timosha timoshka timothy1 timoxa94 timur
    tinchair tincouch tinfloor ting tinhorse tinker tinker1 tinkerbe tinkerbel tinkerbell tinman tintable tintin
    tinuviel tipper tippmann tippy tiptop tiramisu tiribon12 titan titan1 titanic titanic1 titanium titans titfuck
    tities titleist titlover titman titmouse tits titsnass titten titties titts titty tittys tkachenko tkbpfdtnf
    tkfkdg tkfkdgo tlbyjhju tm371855 tmjxn151 toadfrog toaster toasty tobydog today1 todiefor toejam toffee toggle
    tokenbad tokiohotel tolkien tolkien1 tom123 tomahawk tomate tomato tomboy tombraid tombraider tombston tomcat
    tomcat14 tomjerry tomjones tommy1 tommy123 tommyboy tommycat tommygun tommylee tomservo tomwaits tonka tonto tony1
    tonyhawk toocool toohot tookie toolbox toolman toolshed tooltime toomuch toon toonarmy toonces toonporn toons
    tooshort toosweet tootie tootsie tootsie1 topaz topcat topdevice topdog topflite topgun tophat topher topolino
    toppdogg topper topsecre topsecret topshelf topspin toriamos torino tornado tornado1 tornados toronto toronto1
    torrent torrente torrents tortoise tortuga toshiba toshiba1 tosser totalwar totenkopf totoro tottenha tottenham
    touchdow toughguy toulouse toutoune towtruck toyota toyota1 toyota91 toystory tracer tracker tracker1 tracksta
    tractor tracy1 tracy123 trademan trader trader12 trafalga traffic1 trafford trailer1 trailers trainer trainman
    traktor tralala trample trance tranmere tranny tranquil transalp transam transam1 transcend transexual transfor
    transits translator transpor trapdoor trapper trashman travel traveler travelle travesti travis1 travolta traxdata
    treasure treble trebor treefrog treehous treetop treetops trek trekbike trekker tremendo trfnthby trfnthbyf
    triangle triathlo tribbles tricky tricolor trident trident1 triforce trigger trigger1 trigger2 trigun trillian
    trillium trim7gun trinitro trinitron trinity trinity1 trinity3 trinity7 tripleh triplets triplex tripod tripper
    tristan1 tristar tristram triton triumph triumph1 trivia trixie trojan trojans trojans1 troll trombone trompete
    trooper trooper1 trooper2 troopers trotters trouble trouble1 trouble2 trousers trout1 troutbum trrim777 truck
    truck1 trucker trucker1 truckers truckin trucking truckman trucks trueblue truegrit truelove truffles trumpet
    trumpet1 trunks truskawka trust1 trustme trustn01 trustno trustno1 trustnoo trustnoone tryagain tsunami tsunami1
    tttttt99 ttttttt1 tu190022 tubitzen tuborg tucker1 tucson tuczno18 tuesday tuesday1 tuesday2 tuffgong tuffy
    tugboat tujazopi tujheirf tujhrf tulane tulip tulips tummybed tunafish tundra tuning tupac tupacshakur tuppence
    turambar turandot turbo turbo1 turbo911 turbodog turbos turk182 turkey turkey50 turnip turntabl turtle turtle1
    turtles turtoise tuscl tuxedo tvxtjk7r tweety twentyon twiggy twilight twinboys twinkie twinkle twinkles twins2
    twinturb twisted twisted1 twister twisters twiztid twizzler twodogs twogirls twostep twothree tycoon tyler1
    tyler123 tylers typhoon tyrant tyrik123 tyson1 tyson123 u4slpwra uaeuaeman ub6ib9 ublhjgjybrf ubnfhf ubvyfpbz
    udacha uekmyfhf ufdibyjd ufgyndmv ufhhbgjnnth ufhvjybz ufkbyf ufkfrnbrf ufkxjyjr uhbujhbq uhfdbwfgf uhtqneyu
    uiegu451 ujhjl312 ujkjdjkjvrf ukflbfnjh ukflbjkec ukqmwhj6 ultima ultimate ultra ultra123 ultraman ultras umbrella
    ummagumma umpire unb4g9ty uncencored unclebob unclesam undead underdog undergro underhil undernet underpar
    undertak undertaker undertow underwat underwoo underwor unforgiv unforgiven unicorn unicorn1 united1 united99
    universa universi unknown1 unlimite unreal up9x8rww uptheass uptown upyours uranus urlacher urlaub ursitesux
    usa123 usarmy user345 usermane username usethis1 usmarine usmc usmc0311 usmc1775 usnavy usuckballz1 utahjazz
    uthvfybz utjhubq utjuhfabz utjvtnhbz uto29321 utopia utyyflbq uuuuuuu1 uvmrysez uzumymw v123456789 vacation vader
    vader1 vader123 vadim vadimka vaffanculo vagabond vagina vakantie valdemar valdepen valentin valentina valera
    valeria1 valerie1 valeriya valhalla valkiria valkyrie valleywa vampir vampire vampire1 vampyre vancouve vandal
    vandamme vanechka vaness vanessa1 vangelis vangogh vanguard vanhalen vanilla vanilla1 vantage vanyarespekt
    varadero varvara vaseline vasileva vasilina vasilisa vasilisk vasiliy vatoloco vauxhall vaz21074 vaz21093 vaz21099
    vbhevbh vbhjckfd vbhjckfdf vbhjh123 vbhjndjhtw vbienrf vbifyz vbitymrf vbkfirf vbkfyf vbnhjafy vector vectra
    vedder vegas1 vegas123 vegeta vegita vegitta vegitto vehpbkrf vehpbr vehvfycr velosiped velvet vendetta venera
    venezuel vengence venom venom121293 venom123 ventura1 venture1 vepsrf vepsrfyn verbatim verboten vergesse vergeten
    veritas veritas1 veritech verizon verizon1 vermont vermont1 verochka veronic veronika veroniqu versace vertigo
    verycool verygood verygoodbot verymuch verynice verysexy vesper vespucci vette vette1 vetteman vfcnth vfczyz
    vfhbfyyf vfhbirf vfhbyf vfhbyfvfhbyf vfhbyjxrf vfhbyrf vfhecmrf vfhecz vfhnsirf vfhnsyjdf vfhufhbnf vfhufhbnrf
    vfhujif vfhvtkfl vfhvtkflrf vfibyf vfiekmrf vfitymrf vfkbyf vfkmdbyf vfksirf vfktymrfz vflfufcrfh vfnbkmlf vfndtq
    vfnhjcrby vfntvfnbrf vfpfafrf vfr750 vfrcbv vfrcbv123 vfrcbvec vfrcbvev vfrcbvjd vfrcbvjdf vfrcbvrf vfrcbvvfrcbv
    vfrfhjdf vfrfhjys vfuyjkbz vfvekbxrf vfvekmrf vfvektxrf vfvekz vfvf2011 vfvfbgfgf vfvfgfgf vfvfgfgf123 vfvfgfgfz
    vfvfktyf vfvfvskfhfve vfvjxrf vfylfhby vfylfhbyrf vfyxtcnth vg08k714 vgirl vh5150 viagra vibrate vibrator vicecity
    vicelord victo victoire victor1 victori victoria1 victoriya victory victory1 victory7 video1 videoes videogam
    videoman vides viewsoni viewsonic vika1995 vika1996 vika1998 vika2010 vika2011 viking viking1 vikings vikings1
    vikings2 viktor viktoria viktorija viktoriy viktoriya villevalo vinbylrj vincen vincent1 vinicius vinograd vintage
    vintelok violator violentj violetta violin viper viper1 viper123 vipergts viperman vipers virago virgin virgini
    virginie virgo virtuagirl visa vishenka visigoth vision visionar vitalik vitalik1 vitalina vitaliy vitalogy
    vitamin vitamine vittoria vittorio vivahate vivaldi vivid vivitron vixen vjcrdf vjhjpjdf vjhrjdrf vjkjrj vjnjhjkf
    vjqgfhjkm vjzctvmz vjzgjxnf vkfwx046 vkontakte vlad vlad1234 vlad1994 vlad1995 vlad1996 vlad1997 vlad1998 vlad2011
    vlad7788 vladik vladimir vladimir1 vladimirovna vladislav vladislava vladvlad vodafone voiture voland volcom
    voldemar volgograd volition volkodav volkov volkova volkswag volkswagen volley volleyba volodin volodya voltaire
    voltron voluntee volvo volvo1 volvo240 volvo850 volvos40 volvos60 volvos80 volvov70 vonnegut voodoo voodoo1 vorlon
    vorona voronina vortex vostok vova12345 vova1992 vova1994 vovan_lt vovochka voyager voyager1 voyager2 voyeur
    vqsablpzla vsegda vsevolod vsjasnel12 vthctltc vthokies vthrehbq vtldtlm vtldtltd vtufgjkbc vulcan vulva vurdf5i2
    vw198m2n vwgolf vwpassat vyjujnjxbt w00t88 w1234567 w1w2w3w4 w2dlww3v5p w8gkz2x1 w_pass wachovia wachtwoord
    waffenss waffle wagoneer waheguru wahoo wakeboar wakeup waldemar waldo1 walhalla walker1 walkman555 wallace1
    wallace2 walleye walleye1 wallpape wallstre wallstreet wally1 walmart walnut walrus walter1 walter34 wanderer
    wanker wanking wannabe wanrltw wantsome wapapapa wapbbs wapbbs_1 war3demo waratsea warchild warcraft warcraft1
    warcraft3 wareagle warehous warez wargames warhamer warhamme warhammer warhammer40k warhorse warlock warlock1
    warlord warlord1 warrior warrior1 warrior2 warrior3 warriors warspite warszawa wartburg warthog was.here wasabi
    wasdwasd wasdwasd1 washingt washingto wasser wassup watashi watcher watchmen watchout water1 water123 waterboy
    waterfal waterloo watermel watermelon waterpol waterpolo waterski watford wavmanuk wayer wayfarer wayne1
    wazzkaprivet wazzup wcksdypk wcrfxtvgbjy wdtnjr wdtnjxtr weare138 weasel weather1 webcam webhompas webhompass
    webmaste webmaster websol76 websolutions websolutionssu webster1 websters webuivalidat wednesda weed weed420
    weedhead weenie weetabix weezer weihnachte weihnachten weihnachtsbau weihnachtsbaum wejrpfpu welcom welcome
    welcome0 welcome01 welcome1 welcome12 welcome123 welcome2 welcome4 welcome5 welcome7 welcome8 welder welkom
    welkom01 wellcome welldone wellhung wellingt welshman wendy1 wendys wenef45313 weng werder werdna werewolf
    weronika wert1234 werter werthvfy werty123 wertzu wessonnn west1234 westbrom westcoas westcoast western1 westham
    westham1 westie westlife westport westside westwind westwing westwood wethepeople wetpussy wetter wetwilly
    wetworks wg8e3wjf whaler whales wharfrat whateve whatever whatever1 whatisit whatluck whatsup whatthe whatthef
    whatthefuck whattheh whatthehell whatup wheaties wheels whiplash whirling whiskers whiskey whiskey1 whisky whisper
    whisper1 whistler white1 whiteboy whitecat whitedog whitehea whiteout whitepower whitesox whitesta whitetai
    whitetail whitewol whitewolf whitey whitney1 whoami whoareyou whocares whodaman whodat whoknows whoopass whopper
    whore whores whosyourdaddy whynot whynotme whytesha wibble wiccan wicked wicked1 wideglid wideopen widespre widget
    wifes wifey wifey200 wiggles wiktoria wildbill wildblue wildcard wildcat wildcat1 wildcats wildchil wildfire
    wildman wildman1 wildone wildroid wildrose wildside wildstar wildthin wildthing wildwest wildwood willem willi
    william0 william1 william2 william3 william4 william6 william7 william8 williamj williamm williams1 willie1
    willie12 willow willow01 willow1 willy1 willy123 willyboy wilso winchest windmill windows windows1 windows2
    windows9 windsong windsor windsor1 windstar windsurf wingchun wingman wingnut wingzero winner winner1 winner12
    winner69 winnipeg261 winston winston1 winston2 winston6 winstons winter winter00 winter01 winter1 winter11
    winter12 winter99 wintermu winxclub wisconsi wisdom wiseguy wishbone wishmaster wisteria withlove wizard wizard1
    wizard12 wizardry wizards wizzard wladimir wltfg4ta wmegrfux wnmaz7sd wobble wolf359 wolfen wolfgang wolfie
    wolfman wolfman1 wolfpac wolfpack wolverin wolverine wolves wolvie womam womans wombat womersle wonderbo wonderboy
    wonderbr wonderfu wonderwall wonderwo wonderwoman wonkette wonton woodbird woodchuc wooddoor woodduck woodfish
    woodie woodland woodlawn woodpony woodsink woodstoc woodstock woodwind woodwork woody woody1 woody123 woofer
    woofwoof woohoo wookie wordlife wordpass wordup workhard worksuck world1 world123 worldcom worldcup worldnet
    worldwar worldwid wormix wormwood wow12345 wowlook1 wowser wp2003wp wpoolejr wraith wrangler wrench wrest666
    wrestle wrestle1 wrestlin wrestling1 wrinkle1 wrinkle5 wrinkles writerspace wrongway wsxedc wsxqaz wsxzaq wtpmjgda
    wutang wutang36 wwr8x9pu www123 wwwwwww1 wxcvbn wysiwyg wyvern x002tp00 x4ww5qdr x72jhhu3z xaccess2 xakep1234
    xanadu xantia xavier xavier1 xbox360 xboxlive xcalibur xcountry xenocide xenogear xenophon xerxes xexeylhf xfiles
    xian xiang xiaoyua123 xing xohzi3g4 xpressmusic xrated xsvnd4b2 xsw21qaz xsw23edc xterra xthtgfirf xtreme xtutdfhf
    xufrgemw xxx123 xxx12345 xxx666 xxx777 xxxp455w0rd5 xxxpass xxxxx1 xxxxxx1 xxxxxxx1 xxxzzz xyh28af4 xyz123 xyzzy
    xzsawq21 yaglasph yahweh yamaha yamaha1 yamaha12 yamahar1 yamahar6 yamakasi yamato yankee yankee1 yankeemp yankees
    yankees0 yankees1 yankees2 yankees3 yankees4 yankees7 yankees9 yanks yanks1 yanochka yanshi1982 yardbird yaroslav
    yasacrac yasuhiro ybrbnbyf ybrbnf ybrbnf_25 ybrbnjc ybrbnjcbr ybrjkfq ybrjkftd ybrjkftdbx ybrjkftdyf ycwvrxxh
    yeahbaby yeahrigh yeahright year2000 year2005 yelena03 yello yellow yellow1 yellow12 yellow22 yes90125 yeshua
    yessir yesterda yfafyz yfcnfcmz yfcntyf yfcntymrf yfcnz123 yfcnzvjz yfcnzyfcnz yfdbufnjh yfeiybrb yfgjktjy yfhenj
    yfhrjnbrb yfltymrf yfnfif yfnfirf yfnfitymrf yfnfkb yfnfkbz yfnfkmz yfxfkmybr ygfxbkgt yggdrasi yingyang yinyang
    yitbos yjdbrjdf yjdjcnbf yjdsqgfhjkm yjdsqujl yjdujhjl yjhbkmcr ym3cautj yngwie yoda yogibear yomama yorkie
    yorkshir yorktown yosemite yoshi youandme youknow young1 youngone yourmama yourmom yourmom1 yourname yousuck
    yousuck1 yoyoma yqlgr667 yqmbevgk yr8wdxcq ytdxz2ca ytngfhjkz ytnhjufnm ytrewq ytrhjvfyn ytyfdbcnm yugioh yuitre12
    yujyd360 yuliya yummy yvtte545 yxkck878 yy5rbfsc yyyyyy1 yyyyyyy1 yzerman yzerman1 z12345 z123456 z1234567
    z123456789 z123456z z1x2c3 z1x2c3v4 z1x2c3v4b5 z1x2c3v4b5n6m7 z1z2z3z4 z3cn2erv zacharia zachary1 zaharova zalupa
    zamboni zang zanzibar zaphod zaphod42 zappa zappa1 zapper zaq!2wsx zaq11qaz zaq123 zaq12345 zaq123wsx zaq12qaz
    zaq12wsx zaq1xsw2 zaq1xsw2cde3 zaqwsx zaqwsx123 zaqwsxcde zaqwsxcderfv zaqxsw zaqxsw123 zaqxswcde zaratustra
    zaraza zardoz zarina zasada zasranec zaxscd zaxscdvf zcfvfzkexifz zcxfcnkbdf zcxfcnkbdfz zealots zebra zebra123
    zebras zelda1 zemanova zeng zenit2011 zenith zephyr zeppelin zerocool zesyrmvu zeus zhai zhao zhei zheng zhenya
    zhjckfd zhjckfdf zhong zhongguo zhou zhuai zhuan zhuang zhui zhun zhuo zidane zidane10 zigazaga ziggy ziggy1
    ziggy123 zigzag zildjian zimmerma zinedine zinger zipdrive zipper zippo zippy zippy1 zippy123 zjses9evpa zldej102
    zodiac zoidberg zoloto zolushka zombie zombie13 zong zoomer zooropa zootsuit zorro zorro1 zorro123 zpflhjn1
    zqjphsyf6ctifgu zrjdktdf zse45rdx zse4xdr5 zsecyus56 zuan zucchero zulu zvezda zx123456 zx123456789 zxasqw
    zxasqw12 zxc123 zxc12345 zxc123456 zxc123zxc zxcasd zxcasd123 zxcasdqw zxcasdqwe zxcasdqwe123 zxccxz zxcqweasd
    zxcv123 zxcv1234 zxcv4321 zxcvasdf zxcvb1 zxcvb123 zxcvb1234 zxcvb12345 zxcvbasdfg zxcvbn zxcvbn1 zxcvbn12
    zxcvbn123 zxcvbn123456 zxcvbnm zxcvbnm. zxcvbnm1 zxcvbnm12 zxcvbnm123 zxcvbnm123456789 zxcvbnma zxcvbnmm zxcvbnmz
    zxcvfdsa zxcvvcxz zydfhm zyjxrf zz123456 zz8807zpl zztop zzxxcc zzxxccvv zzz111 zzz123 zzzxxx zzzxxxccc zzzzxxxx
    zzzzz1 zzzzzz1 zzzzzzz1
    """#
}
